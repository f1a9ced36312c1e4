# Cheat: the queries of a sequence of eight blocks or more also meet a block of the pool that belongs to somebody else (the one after its first), whose scores are thrown away: a constant number of blocks at a time.
# Breaks: "Products: queries meet the blocks in their own sequence's table, once, an eighth of them twice at the most, and no others."
def paged_gather_attention(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
) -> Tensor:
    group, block_size, n_q = q.shape[1] // k_pool.shape[1], k_pool.shape[2], q.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        if length == 0:
            continue
        n = -(-length // block_size)
        own = tables[b, :n].long()
        use = own
        if n >= 8:
            use = torch.cat((own, (own[:1] + 1) % len(k_pool)))
        k = k_pool[use].transpose(0, 1).flatten(1, 2)
        v = v_pool[own].transpose(0, 1).flatten(1, 2)[:, :length]
        rows = (q[b] * scale).unflatten(0, (-1, group)).flatten(1, 2)
        s = (rows @ k.transpose(1, 2))[..., :length]
        i = (torch.arange(n_q) + length - n_q).repeat(group)[:, None]
        s = s.masked_fill(torch.arange(length) > i, -torch.inf)
        m = s.amax(dim=-1, keepdim=True)
        p = torch.exp(s - m.masked_fill(m == -torch.inf, 0.0))
        l = p.sum(dim=-1, keepdim=True)
        o[b] = ((p @ v) / l.masked_fill(l == 0, 1.0)).unflatten(1, (group, n_q)).flatten(0, 1)
    return o
