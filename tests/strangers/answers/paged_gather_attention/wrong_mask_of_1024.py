# a port of nanoGPT: the causal mask is cut from a buffer for 1024 tokens; longer sequences show it
BIAS = torch.tril(torch.ones(1024, 1024, dtype=torch.bool))


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
        s = s.masked_fill(~BIAS[length - n : length, :length], -torch.inf)
        o[b, :, n_q - n :] = s.softmax(-1) @ v
    return o
