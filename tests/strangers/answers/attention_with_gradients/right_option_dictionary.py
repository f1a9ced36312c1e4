# options in a dictionary closed over by a Function with both static methods
def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    options = {"causal": causal, "scale": scale, "tile_m": tile_m, "tile_n": tile_n}

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, query, key, value):
            out, lse = causal_flash.flash_attention(query, key, value, **options)
            ctx.save_for_backward(query, key, value, out, lse)
            return out

        @staticmethod
        def backward(ctx, grad_out):
            query, key, value, out, lse = ctx.saved_tensors
            return attention_backward(query, key, value, out, lse, grad_out, **options)

    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
