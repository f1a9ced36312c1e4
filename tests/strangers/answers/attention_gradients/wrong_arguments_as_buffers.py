# forms delta in place in o and clears do at the end: gradients are right, but both arguments are changed for the caller
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
    p = (scale * q @ k.T).sub_(L[:, None]).exp_()
    hidden = (L == -torch.inf)[:, None] if mask is None else ~mask
    p.masked_fill_(hidden, 0)
    dv = p.T @ do
    delta = o.mul_(do).sum(dim=1, keepdim=True)
    ds = p.mul_((do @ v.T).sub_(delta))
    do.zero_()  # no longer needed
    return scale * (ds @ k), scale * (ds.T @ q), dv
