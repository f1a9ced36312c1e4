# Right: one query at a time, only the keys that it sees are gathered, so there is no -inf to subtract.
def attention_block(q, k, v, mask=None, scale=None):
    factor = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(len(q), v.shape[1])
    m, l = q.new_full((len(q),), -torch.inf), q.new_zeros(len(q))
    for i, query in enumerate(q):
        keys, values = (k, v) if mask is None else (k[mask[i]], v[mask[i]])
        if len(keys) == 0:
            continue
        s = (keys @ query) * factor
        m[i] = s.max()
        p = (s - m[i]).exp()
        l[i] = p.sum()
        o[i] = (p / l[i]) @ values
    return o, m, l
