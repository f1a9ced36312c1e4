# class inside the function, both results of the forward kernel returned and L marked as not differentiable
def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip

    options = causal, scale, tile_m, tile_n

    class Pair(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *qkv):
            o, L = causal_flash.flash_attention(*qkv, *options)
            ctx.save_for_backward(*qkv, o, L)
            ctx.mark_non_differentiable(L)
            return o, L

        @staticmethod
        def backward(ctx, do, _):
            return attention_backward(*ctx.saved_tensors, do, *options)

    class FlashAttention:
        apply = staticmethod(lambda *qkv: Pair.apply(*qkv)[0])
    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
