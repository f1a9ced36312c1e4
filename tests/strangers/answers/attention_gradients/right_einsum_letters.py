# einsum throughout, blind rows through L = +inf, the scale multiplied into dS once
def attention_gradients(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    o: Tensor,
    L: Tensor,
    do: Tensor,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    mask = torch.arange(n_k) <= last_seen if causal else None
    s = scale * torch.einsum("ic,jc->ij", q, k)
    s = s if mask is None else torch.where(mask, s, -torch.inf)
    p = torch.exp(s - torch.where(L == -torch.inf, torch.inf, L)[:, None])
    delta = torch.einsum("ic,ic->i", do, o)
    ds = scale * p * (torch.einsum("ic,jc->ij", do, v) - delta[:, None])
    dq, dk = torch.einsum("ij,jc->ic", ds, k), torch.einsum("ij,ic->jc", ds, q)
    return dq, dk, torch.einsum("ij,ic->jc", p, do)
