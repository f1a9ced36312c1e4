# Writes the matrix out in the forward pass and lets autograd work: N_q x N_k is kept and made, and rows that see nothing are NaN.
def attention_with_gradients(
    q: Tensor, k: Tensor, v: Tensor, do: Tensor, causal: bool = False,
    scale: float | None = None, tile_m: int | None = None, tile_n: int | None = None,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    q, k, v = (x.detach().requires_grad_() for x in (q, k, v))
    s = q.float() @ k.float().mT * (q.shape[-1] ** -0.5 if scale is None else scale)
    if causal:
        n_q, n_k = s.shape[-2:]
        s = s.masked_fill(~torch.ones(n_q, n_k, dtype=torch.bool, device=s.device).tril(n_k - n_q), -torch.inf)
    o = (torch.softmax(s, -1) @ v.float()).to(q.dtype)
    return o.detach(), *torch.autograd.grad(o, (q, k, v), do)
