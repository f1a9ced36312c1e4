# hidden keys score -1e9: a query whose own scores lie below that looks at the future
def paged_gather_attention(q, k_pool, v_pool, tables, lengths, scale=None):
    group, block_size, n_q = q.shape[1] // k_pool.shape[1], k_pool.shape[2], q.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        n = min(n_q, length)
        if n == 0:
            continue
        pages = tables[b, : -(-length // block_size)].long()
        k, v = (p[pages].permute(1, 0, 2, 3).flatten(1, 2)[:, :length].repeat_interleave(group, 0) for p in (k_pool, v_pool))
        s = scale * (q[b, :, n_q - n :] @ k.mT)
        s = s + -1e9 * torch.ones(n, length).triu(length - n + 1)
        o[b, :, n_q - n :] = s.softmax(-1) @ v
    return o
