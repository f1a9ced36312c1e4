# looks up each key by block and slot, grouped einsum without repeating heads, exponentials and sums by hand, and only the queries that see something
def paged_gather_attention(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
) -> Tensor:
    """Causal attention of the last tokens of each sequence over keys and values in blocks."""
    _, heads, n_q, d = q.shape
    kv_heads, block_size = k_pool.shape[1], k_pool.shape[2]
    factor = d**-0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b in range(len(q)):
        n = int(lengths[b])
        first = max(n_q - n, 0)  # the first query that is a token of the sequence
        if n == 0 or first == n_q:
            continue
        key = torch.arange(n, device=q.device)
        block, slot = tables[b].long()[key // block_size], key % block_size
        k, v = k_pool[block, :, slot], v_pool[block, :, slot]  # (n, H_kv, d)
        queries = q[b, :, first:].reshape(kv_heads, heads // kv_heads, n_q - first, d)
        s = factor * torch.einsum("hgid,jhd->hgij", queries, k)
        position = torch.arange(first, n_q, device=q.device) + n - n_q
        s = torch.where(key <= position[:, None], s, -torch.inf)
        p = torch.exp(s - s.amax(-1, keepdim=True))
        out = torch.einsum("hgij,jhd->hgid", p, v) / p.sum(-1, keepdim=True)
        o[b, :, first:] = out.reshape(heads, n_q - first, d)
    return o
