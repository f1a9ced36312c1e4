# Query by query: gathers the keys that the query sees by boolean indexing and never writes a -inf score.
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    if scale is None:
        scale = q.size(-1) ** -0.5
    n = q.size(0)
    o, m, l = q.new_zeros(n, v.size(1)), q.new_full((n,), -torch.inf), q.new_zeros(n)
    for i in range(n):
        keys, values = (k, v) if mask is None else (k[mask[i]], v[mask[i]])
        if len(keys) == 0:
            continue
        s = (keys @ q[i]) * scale
        m[i] = s.max()
        e = torch.exp(s - m[i])
        l[i] = e.sum()
        o[i] = (e / l[i]) @ values
    return o, m, l
