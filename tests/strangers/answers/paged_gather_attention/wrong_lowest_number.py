# Wrong: hides keys with the lowest float, so a query that sees no key (lengths[b] < N_q, but not 0) gives the mean of the sequence's values instead of zeros.
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
        n_blocks = (length + block_size - 1) // block_size
        blocks = tables[b, :n_blocks].tolist()
        keys = torch.cat([k_pool[i] for i in blocks], dim=1)[:, :length]
        values = torch.cat([v_pool[i] for i in blocks], dim=1)[:, :length]
        keys = keys.repeat_interleave(group, dim=0)
        values = values.repeat_interleave(group, dim=0)
        weights = torch.matmul(q[b], keys.transpose(1, 2)) * scale
        causal = torch.ones(n_q, length, dtype=torch.bool).tril(length - n_q)
        weights = weights.masked_fill(~causal, torch.finfo(weights.dtype).min)
        o[b] = torch.matmul(weights.softmax(dim=-1), values)
    return o
