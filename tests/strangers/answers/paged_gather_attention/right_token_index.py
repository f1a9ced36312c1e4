# Right: looks up block and slot of every token, one einsum over KV heads and groups, only for queries that see something.
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
        seeing = min(n_q, length)  # the last so many queries
        if seeing == 0:
            continue
        token = torch.arange(length, device=q.device)
        block = tables[b].long()[token // block_size]
        k = k_pool[block, :, token % block_size]  # (length, H_kv, d)
        v = v_pool[block, :, token % block_size]
        rows = q[b, :, n_q - seeing :].unflatten(0, (-1, group))
        s = torch.einsum("hgid,jhd->hgij", rows, k) * scale
        s = s.masked_fill(token > token[length - seeing :, None], -torch.inf)
        p = torch.softmax(s, dim=-1)
        o[b, :, n_q - seeing :] = torch.einsum("hgij,jhd->hgid", p, v).flatten(0, 1)
    return o
