# Limits the last key that a query sees to at least 0, so that no row is empty: queries before the beginning of a short sequence (length < N_q) get the first value instead of zeros, and length 0 fails on an empty softmax.
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
        rows = tables[b, : math.ceil(length / block_size)].tolist()
        k = torch.cat([k_pool[r] for r in rows], dim=1)[:, :length]
        v = torch.cat([v_pool[r] for r in rows], dim=1)[:, :length]
        last = (torch.arange(n_q) + length - n_q).clamp(min=0)
        for h in range(q.shape[1]):
            s = (q[b, h] @ k[h // group].T * scale).masked_fill(torch.arange(length) > last[:, None], -torch.inf)
            o[b, h] = s.softmax(dim=-1) @ v[h // group]
    return o
