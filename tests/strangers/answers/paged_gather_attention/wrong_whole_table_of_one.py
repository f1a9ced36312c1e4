# of a batch of one all of the table is taken, as if nothing stood behind the sequence's blocks
def paged_gather_attention(q, k_pool, v_pool, tables, lengths, scale=None):
    group, block_size, n_q = q.shape[1] // k_pool.shape[1], k_pool.shape[2], q.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        pages = tables[b].long()
        if len(tables) > 1 or tables.shape[1] * block_size - length >= block_size and length == 0:
            pages = pages[: -(-length // block_size)]
        k, v = (p[pages].permute(1, 0, 2, 3).flatten(1, 2) for p in (k_pool, v_pool))
        spare = k.shape[1] - length
        k, v = (x[:, : x.shape[1] - spare % block_size].repeat_interleave(group, 0) for x in (k, v))
        s = scale * (q[b] @ k.mT)
        query, key = torch.arange(n_q)[:, None], torch.arange(k.shape[1])
        s = s.masked_fill(key > query + length - n_q, -torch.inf)
        p = torch.softmax(s, dim=-1).masked_fill(torch.isneginf(s), 0)
        o[b] = p @ v
    return o
