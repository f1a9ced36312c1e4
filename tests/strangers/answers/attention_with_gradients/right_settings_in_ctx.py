# settings go through apply and ctx, with a None gradient for them; keeps the contract
def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v, settings):
            result, log_sums = causal_flash.flash_attention(q, k, v, *settings)
            ctx.settings = settings
            ctx.save_for_backward(q, k, v, result, log_sums)
            return result

        @staticmethod
        def backward(ctx, grad):
            q, k, v, result, log_sums = ctx.saved_tensors
            found = attention_backward(q, k, v, result, log_sums, grad, *ctx.settings)
            return (*found, None)

    leaves = [x.detach() for x in (q, k, v)]
    for x in leaves:
        x.requires_grad_(True)
    with torch.enable_grad():
        out = FlashAttention.apply(*leaves, (causal, scale, tile_m, tile_n))
    dq, dk, dv = torch.autograd.grad([out], leaves, grad_outputs=[do])
    return out.detach(), dq, dk, dv
