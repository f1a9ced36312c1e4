# saves o rounded to bfloat16 because only delta needs it: delta, and with it dq and dk, are off by 2^-9 of their terms for float32 and float16 inputs, bfloat16 is right
class FlashAttention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, *options):
        o, L = causal_flash.flash_attention(q, k, v, *options)
        # o is only needed for delta: half the memory will do
        ctx.save_for_backward(q, k, v, o.to(torch.bfloat16), L)
        ctx.options = options
        return o

    @staticmethod
    def backward(ctx, do):
        q, k, v, o, L = ctx.saved_tensors
        return *attention_backward(q, k, v, o.to(q.dtype), L, do, *ctx.options), *[None] * 4


def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v, causal, scale, tile_m, tile_n)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
