# one index pair (block, slot) for each token, keys of one KV head at a time, a query at a time with its own prefix; base-2 softmax
def paged_gather_attention(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
) -> Tensor:
    """Causal attention of the last tokens of each sequence over keys and values in blocks.

    q: (B, H, N_q, d) float32, the queries of the last N_q tokens of each of B sequences.
    k_pool, v_pool: (n_blocks, H_kv, block_size, d) float32; query head h reads KV head
    h // (H / H_kv). What belongs to no sequence is not initialised, and may be NaN.
    tables: (B, max_blocks) int32, the blocks of each sequence in order, -1 behind them.
    lengths: (B,) int32, the tokens of each sequence, those of the queries included; there may
    be fewer than N_q, or none.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Query i of sequence b sees the keys j <= i + lengths[b] - N_q.
    Returns o (B, H, N_q, d), same dtype; a query that sees no key gives zeros.
    Forbidden: scaled_dot_product. It stays within torch and Python. Arguments stay as they
    are, and results are new memory.
    """
    group, block_size, n_q = q.shape[1] // k_pool.shape[1], k_pool.shape[2], q.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        j = torch.arange(length)
        block, slot = tables[b, j // block_size].long(), j % block_size
        for kv in range(k_pool.shape[1]):
            keys, values = k_pool[block, kv, slot], v_pool[block, kv, slot]
            heads = slice(kv * group, (kv + 1) * group)
            for i in range(max(0, n_q - length), n_q):
                n = i + length - n_q + 1
                s = (q[b, heads, i] @ keys[:n].T) * (scale * 1.4426950408889634)
                p = torch.exp2(s - s.amax(dim=1, keepdim=True))
                o[b, heads, i] = (p @ values[:n]) / p.sum(dim=1, keepdim=True)
    return o
