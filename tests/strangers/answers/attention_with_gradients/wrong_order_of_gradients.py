# backward returns the gradients as dk, dv, dq, in the order of the kernels: autograd hands them to the wrong inputs (or rejects shapes where N_q != N_k).
def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v):
            o, L = causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)
            ctx.save_for_backward(q, k, v, o, L)
            return o

        @staticmethod
        def backward(ctx, do):
            q, k, v, o, L = ctx.saved_tensors
            delta = row_delta(o, do)
            rest = (causal, scale, tile_m, tile_n)
            dk, dv = key_value_gradients(q, k, v, do, L, delta, *rest)
            dq = query_gradients(q, k, v, do, L, delta, *rest)
            return dk, dv, dq
    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
