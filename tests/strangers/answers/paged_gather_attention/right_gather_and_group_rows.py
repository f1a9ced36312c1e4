# Gathers the blocks in use with an index tensor, views the queries by groups, one product per KV head by einsum, zeros for blind rows.
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
        blocks = tables[b, : -(-length // block_size)].long()
        k, v = (x[blocks].transpose(0, 1).flatten(1, 2)[:, :length] for x in (k_pool, v_pool))
        rows = q[b].unflatten(0, (-1, group))  # (H_kv, g, N_q, d)
        s = torch.einsum("hgid,hjd->hgij", rows, k) * scale
        last = torch.arange(n_q) + length - n_q
        hidden = torch.arange(length) > last[:, None]
        p = torch.softmax(s.masked_fill(hidden, -torch.inf), dim=-1)
        p = p.masked_fill((last < 0)[:, None], 0)
        o[b] = torch.einsum("hgij,hjd->hgid", p, v).flatten(0, 1)
    return o
