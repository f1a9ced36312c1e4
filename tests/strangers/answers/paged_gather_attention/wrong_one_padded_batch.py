# Gathers all sequences into one zero-padded batch and masks with finfo.min: right for sequences with enough tokens, but a query that sees no key gets the average of the padded values instead of zeros.
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
    longest = max(1, int(lengths.max()))
    keys = torch.zeros(q.shape[0], k_pool.shape[1], longest, q.shape[3])
    values = torch.zeros_like(keys)
    for b, length in enumerate(lengths.tolist()):
        for i in range(length):
            block, slot = tables[b, i // block_size], i % block_size
            keys[b, :, i], values[b, :, i] = k_pool[block, :, slot], v_pool[block, :, slot]
    keys, values = keys.repeat_interleave(group, 1), values.repeat_interleave(group, 1)
    last = torch.arange(n_q) + lengths[:, None] - n_q  # (B, N_q)
    hidden = torch.arange(longest) > last[:, :, None]
    s = (q @ keys.mT * scale).masked_fill(hidden[:, None], torch.finfo(q.dtype).min)
    return s.softmax(-1) @ values
