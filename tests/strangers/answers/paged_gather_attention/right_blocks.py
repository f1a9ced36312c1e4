# views of the blocks, scored one by one and joined: no copy of keys; a helper per KV head
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
    kv_heads = k_pool.shape[1]
    for b, length in enumerate(lengths.tolist()):
        blind = max(0, n_q - length)  # queries that see nothing
        if length == 0 or blind == n_q:
            continue
        full, rest = divmod(length, block_size)
        fill = [block_size] * full + [rest] * (rest > 0)
        blocks = list(zip(tables[b, : len(fill)].tolist(), fill))
        reach = torch.arange(blind, n_q)[:, None] + (length - n_q)
        hidden = torch.arange(length) > reach
        for h in range(kv_heads):
            heads = slice(h * group, (h + 1) * group)
            rows = q[b, heads, blind:]  # (group, n, d)
            s = torch.cat([rows @ k_pool[block, h, :n].T for block, n in blocks], dim=-1)
            p = s.mul_(scale).masked_fill_(hidden, -torch.inf).softmax(dim=-1)
            pieces = p.split(fill, dim=-1)
            o[b, heads, blind:] = sum(
                piece @ v_pool[block, h, :n] for piece, (block, n) in zip(pieces, blocks)
            )
    return o
