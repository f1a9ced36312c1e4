# Concatenates the blocks of a head, then plain loops over heads and queries with slices of keys.
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
        blocks = tables[b, : -(-length // block_size)].tolist()
        for h in range(q.shape[1] if length else 0):
            K = torch.cat([k_pool[x, h // group] for x in blocks])[:length]
            V = torch.cat([v_pool[x, h // group] for x in blocks])[:length]
            for i in range(n_q):
                seen = i + length - n_q + 1
                if seen > 0:
                    o[b, h, i] = (K[:seen] @ q[b, h, i] * scale).softmax(0) @ V[:seen]
    return o
