# hands causal and the tiles to the backward pass by keyword but not the scale: gradients are wrong whenever scale is given, right by default
def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v):
            o, lse = causal_flash.flash_attention(
                q, k, v, causal=causal, scale=scale, tile_m=tile_m, tile_n=tile_n
            )
            ctx.save_for_backward(q, k, v, o, lse)
            return o

        @staticmethod
        def backward(ctx, grad_output):
            q, k, v, o, lse = ctx.saved_tensors
            return attention_backward(
                q, k, v, o, lse, grad_output, causal=causal, tile_m=tile_m, tile_n=tile_n
            )
    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
