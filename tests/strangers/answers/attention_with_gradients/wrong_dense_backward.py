# recomputes P as a whole N_q x N_k matrix in the backward method with torch products instead of the kernels: good gradients, but a big matrix is made on every input
def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip
    factor = q.shape[-1] ** -0.5 if scale is None else scale

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v):
            o, L = causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)
            ctx.save_for_backward(q, k, v, o, L)
            return o

        @staticmethod
        def backward(ctx, do):
            q, k, v, o, L = ctx.saved_tensors
            dtype, n_q, n_k = q.dtype, q.shape[2], k.shape[2]
            q, k, v, o, do = (x.float() for x in (q, k, v, o, do))
            P = torch.exp(factor * q @ k.mT - L[..., None])
            if causal:
                hidden = torch.ones(n_q, n_k, dtype=torch.bool, device=q.device)
                P = P.masked_fill(hidden.triu(n_k - n_q + 1), 0)
            dS = P * (do @ v.mT - (do * o).sum(-1, keepdim=True))
            dq, dk, dv = factor * dS @ k, factor * dS.mT @ q, P.mT @ do
            return dq.to(dtype), dk.to(dtype), dv.to(dtype)

    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
