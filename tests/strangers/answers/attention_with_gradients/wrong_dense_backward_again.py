# Computes the backward pass with whole N_q x N_k matrices in torch: right values up to rounding, but the quadratic matrix is made.
def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:  # fmt: skip

    sigma = q.shape[-1] ** -0.5 if scale is None else scale

    class FlashAttention(torch.autograd.Function):
        @staticmethod
        def forward(ctx, q, k, v):
            o, L = causal_flash.flash_attention(q, k, v, causal, scale, tile_m, tile_n)
            ctx.save_for_backward(q, k, v, o, L)
            return o

        @staticmethod
        def backward(ctx, do):
            q, k, v, o, L = (x.float() for x in ctx.saved_tensors)
            g = do.float()
            p = torch.exp(sigma * q @ k.mT - L[..., None])
            if causal:
                n_q, n_k = p.shape[-2:]
                hidden = torch.ones(n_q, n_k, dtype=torch.bool, device=p.device).triu(n_k - n_q + 1)
                p = p.masked_fill(hidden, 0)
            ds = p * (g @ v.mT - (g * o).sum(-1, keepdim=True))
            grads = sigma * ds @ k, sigma * ds.mT @ q, p.mT @ g
            return tuple(x.to(do.dtype) for x in grads)

    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    o = FlashAttention.apply(q, k, v)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
