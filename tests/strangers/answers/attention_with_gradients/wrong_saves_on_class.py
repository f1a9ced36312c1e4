# Keeps the tensors on the class instead of ctx and saves do in place of o for delta: delta is |dO|^2, so dq and dk are wrong.
def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip

    class FlashAttention(torch.autograd.Function):
        kept = None

        @staticmethod
        def forward(ctx, q, k, v):
            o, L = causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)
            FlashAttention.kept = q, k, v, do, L
            return o

        @staticmethod
        def backward(ctx, grad):
            return attention_backward(*FlashAttention.kept, grad, causal, scale, tile_m, tile_n)
    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
