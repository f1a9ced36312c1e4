# the newer style of autograd functions: forward without ctx returns o and L, setup_context saves, L is marked as not differentiable; right
def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    options = {"causal": causal, "scale": scale, "tile_m": tile_m, "tile_n": tile_n}

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(q, k, v):
            return causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(*inputs, *output)
            ctx.mark_non_differentiable(output[1])
            ctx.set_materialize_grads(False)

        @staticmethod
        def backward(ctx, do, dL):
            return attention_backward(*ctx.saved_tensors, do, **options)

    leaves = [x.detach().requires_grad_() for x in (q, k, v)]
    o, _ = FlashAttention.apply(*leaves)
    dq, dk, dv = torch.autograd.grad([o], leaves, [do])
    return o.detach(), dq, dk, dv
