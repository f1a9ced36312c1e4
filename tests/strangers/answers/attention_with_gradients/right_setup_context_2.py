# the newer form: forward without ctx returns o and L, setup_context puts the tensors away, L takes no gradient
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
            o, L = output
            ctx.mark_non_differentiable(L)
            ctx.set_materialize_grads(False)
            ctx.save_for_backward(*inputs, o, L)

        @staticmethod
        def backward(ctx, do, _):
            return attention_backward(*ctx.saved_tensors, do, **options)

    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o, _ = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
