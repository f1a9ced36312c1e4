# Right: autograd.Function in a closure, options in one tuple, saved tensors unpacked straight into the backward pass.
def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip

    how = (causal, scale, tile_m, tile_n)

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, *qkv):
            out, lse = causal_flash.flash_attention(*qkv, *how)
            ctx.save_for_backward(*qkv, out, lse)
            return out

        @staticmethod
        def backward(ctx, grad_out):
            return attention_backward(*ctx.saved_tensors, grad_out, *how)

    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
