# Masks the scores with -inf and subtracts L = -inf from them: NaN in dq, dk and dv as soon as a query sees no key (causal, N_q > N_k).
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
    s = scale * q @ k.T
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    p = torch.exp(s - L[:, None])
    dv = p.T @ do
    dp = do @ v.T
    delta = (do * o).sum(dim=1, keepdim=True)
    ds = p * (dp - delta)
    return scale * ds @ k, scale * ds.T @ q, dv
