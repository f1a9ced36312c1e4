# calls backward and returns the .grad fields of the caller's own tensors: arguments get requires_grad and a grad, and a second call with the same tensors returns doubled gradients
class FlashAttention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, causal, scale, tile_m, tile_n):
        o, L = causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)
        ctx.save_for_backward(q, k, v, o, L)
        ctx.rest = (causal, scale, tile_m, tile_n)
        return o

    @staticmethod
    def backward(ctx, do):
        q, k, v, o, L = ctx.saved_tensors
        return attention_backward(q, k, v, o, L, do, *ctx.rest) + (None,) * 4


def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    for x in (q, k, v):
        x.requires_grad_(True)
    o = FlashAttention.apply(q, k, v, causal, scale, tile_m, tile_n)
    o.backward(do)
    return o.detach(), q.grad, k.grad, v.grad
