# Looks up block and slot of every token, einsum over (KV head, group), rows without keys cut off beforehand.
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
        blind = max(0, n_q - length)
        if blind == n_q:
            continue
        j = torch.arange(length)
        block, slot = tables[b].long()[j // block_size], j % block_size
        k, v = k_pool[block, :, slot], v_pool[block, :, slot]  # (length, H_kv, d)
        rows = q[b].unflatten(0, (-1, group))[:, :, blind:]
        s = torch.einsum("hgid,jhd->hgij", rows, k) * scale
        last = torch.arange(blind, n_q)[:, None] + length - n_q
        s = s.masked_fill(j > last, -torch.inf)
        o[b, :, blind:] = torch.einsum("hgij,jhd->hgid", s.softmax(-1), v).flatten(0, 1)
    return o
