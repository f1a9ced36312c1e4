# static class with options on ctx, gradients for every argument of a long forward
class _Flash(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, causal, scale, tile_m, tile_n):
        o, L = causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)
        ctx.save_for_backward(q, k, v, o, L)
        ctx.options = causal, scale, tile_m, tile_n
        return o

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, do):
        grads = attention_backward(*ctx.saved_tensors, do, *ctx.options)
        return *grads, None, None, None, None


def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    inputs = [x.detach().requires_grad_() for x in (q, k, v)]
    o = _Flash.apply(*inputs, causal, scale, tile_m, tile_n)
    return o.detach(), *torch.autograd.grad(o, inputs, do)
