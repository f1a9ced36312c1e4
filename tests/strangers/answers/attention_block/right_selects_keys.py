# right: query by query, with only the keys that the mask lets it see; a query without keys keeps the identity.
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    n = q.shape[0]
    factor = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n, v.shape[1])
    m = q.new_full((n,), -torch.inf)
    l = q.new_zeros(n)
    for i in range(n):
        keys, values = (k, v) if mask is None else (k[mask[i]], v[mask[i]])
        if len(keys) == 0:
            continue
        scores = torch.mv(keys, q[i]) * factor
        m[i] = scores.max()
        weights = torch.exp(scores - m[i])
        l[i] = weights.sum()
        o[i] = torch.mv(values.T, weights / l[i])
    return o, m, l
