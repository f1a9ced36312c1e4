# cuts P with torch.tril, the mask of square attention, instead of the given mask: wrong for causal with N_q different from N_k
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
    P = torch.exp(scale * q @ k.T - L[:, None])
    if causal:
        P = torch.tril(P)
    dP = do @ v.T
    delta = torch.sum(do * o, dim=1, keepdim=True)
    dS = P * (dP - delta)
    return scale * dS @ k, scale * dS.T @ q, P.T @ do
