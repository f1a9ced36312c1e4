# Right: gathers only the blocks in use and cuts them at the length, groups the query heads in one einsum, leaves queries that see no key at 0.
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
        blocks = tables[b, : (length + block_size - 1) // block_size].long()
        blind = max(0, n_q - length)  # the first queries stand before the sequence
        if blind == n_q:
            continue
        keys = torch.cat(k_pool[blocks].unbind(0), dim=1)[:, :length]
        values = torch.cat(v_pool[blocks].unbind(0), dim=1)[:, :length]
        queries = q[b, :, blind:].unflatten(0, (-1, group))
        S = torch.einsum("kgid,kjd->kgij", queries, keys) * scale
        i = torch.arange(blind, n_q).unsqueeze(1)
        S = S.masked_fill(torch.arange(length) > i + length - n_q, -torch.inf)
        P = torch.softmax(S, dim=-1)
        o[b, :, blind:] = torch.einsum("kgij,kjd->kgid", P, values).flatten(0, 1)
    return o
