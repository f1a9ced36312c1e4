# Scores with keys down and queries across, reused scratch of the size of a chunk, state updated in place.
def online_attention(
    q: Tensor, k: Tensor, v: Tensor, tile_n: int, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    scratch = q.new_empty(min(tile_n, n_k), n_q)
    limit = torch.arange(n_q) + n_k - n_q
    for start in range(0, n_k, tile_n):
        key, value = k[start : start + tile_n], v[start : start + tile_n]
        s = scratch[: key.shape[0]]
        torch.matmul(key, q.T, out=s)
        s.mul_(scale)
        if causal:
            s[torch.arange(start, start + key.shape[0])[:, None] > limit] = -torch.inf
        m_new = torch.maximum(m, s.amax(0))
        base = torch.where(m_new.isinf(), torch.zeros_like(m_new), m_new)
        s.sub_(base).exp_()
        a = l * (m - base).exp()
        l = a + s.sum(0)
        safe = torch.where(l == 0, torch.ones_like(l), l)
        o.mul_((a / safe)[:, None]).add_(s.T @ value / safe[:, None])
        m = m_new
    return o
