# Repairs NaN only in the rows that see no key at all, i < N_q - N_k: a query that sees none of the blocks in `order` stays NaN.
def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    blind = max(0, n_q - n_k) if causal else 0
    qs = q[blind:]
    acc = L = None
    for b in order:
        lo, hi = b * tile_n, min(n_k, (b + 1) * tile_n)
        s = qs @ k[lo:hi].T * scale
        if causal:
            at = torch.arange(blind, n_q)[:, None] + n_k - n_q
            s = s.masked_fill(torch.arange(lo, hi) > at, -torch.inf)
        top = s.amax(1)
        safe = top.clamp(min=-1e38)
        p = (s - safe[:, None]).exp()
        den = p.sum(1)
        new_L = safe + den.log()
        num = p @ v[lo:hi] / den.clamp(min=1e-37)[:, None]
        if L is None:
            acc, L = num, new_L
            continue
        both = torch.maximum(L, new_L)
        w1, w2 = (L - both).exp().nan_to_num(), (new_L - both).exp().nan_to_num()
        acc = (w1[:, None] * acc + w2[:, None] * num) / (w1 + w2)[:, None]
        L = both + (w1 + w2).log()
    o, lse = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf)
    o[blind:], lse[blind:] = acc, L
    return o, lse
