# every key's row in the pool by an index, heads of a group by einsum, and only the queries that see a key
def paged_gather_attention(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
) -> Tensor:
    batch, heads, n_q, d = q.shape
    _, kv_heads, block_size, _ = k_pool.shape
    scale = 1 / d**0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        blind = max(n_q - length, 0)  # queries before the sequence's first token
        if blind == n_q:
            continue
        j = torch.arange(length, device=q.device)
        block, slot = tables[b].long()[j // block_size], j % block_size
        k, v = k_pool[block, :, slot], v_pool[block, :, slot]  # (length, H_kv, d)
        rows = q[b, :, blind:].reshape(kv_heads, heads // kv_heads, n_q - blind, d)
        S = torch.einsum("hgid,jhd->hgij", rows, k) * scale
        i = torch.arange(blind, n_q, device=q.device)
        S = S.masked_fill(j > i[:, None] + length - n_q, -torch.inf)
        e = torch.exp(S - S.amax(dim=-1, keepdim=True))
        out = torch.einsum("hgij,jhd->hgid", e / e.sum(dim=-1, keepdim=True), v)
        o[b, :, blind:] = out.reshape(heads, n_q - blind, d)
    return o
