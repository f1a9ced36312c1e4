# one head at a time, base 2, numerator and denominator by one product with a column of ones
def _one_head(q, k, v, scale, hidden):
    s = (k @ q.T).T * scale
    s = s.masked_fill(hidden, float("-inf"))
    top = s.max(dim=1).values
    top = torch.where(torch.isneginf(top), torch.zeros_like(top), top)
    weight = torch.exp2((s - top.unsqueeze(1)) * 1.4426950408889634)
    both = weight @ torch.cat([v, v.new_ones(v.shape[0], 1)], dim=1)
    above, below = both[:, :-1], both[:, -1:]
    return above / below.masked_fill(below == 0, 1.0)


def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, n_q, d = q.shape
    n_k = k.shape[1]
    out = torch.zeros(heads, n_q, v.shape[2], dtype=q.dtype, device=q.device)
    if n_k == 0 or n_q == 0:
        return out
    if scale is None:
        scale = d**-0.5
    query = torch.arange(n_q, device=q.device).unsqueeze(1)
    key = torch.arange(n_k, device=q.device).unsqueeze(0)
    last_seen = query + (n_k - n_q) if causal else torch.full_like(query, n_k)
    hidden = key > last_seen
    for h in range(heads):
        out[h] = _one_head(q[h], k[h], v[h], scale, hidden)
    return out
