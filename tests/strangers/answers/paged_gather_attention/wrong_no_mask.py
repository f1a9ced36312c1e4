# port of a decoding kernel: every query sees every key; right for N_q = 1, else tokens see what comes after them
def paged_gather_attention(
    q: Tensor,
    k_pool: Tensor,
    v_pool: Tensor,
    tables: Tensor,
    lengths: Tensor,
    scale: float | None = None,
) -> Tensor:

    heads, n_q, d = q.shape[1:]
    kv_heads, block_size = k_pool.shape[1:3]
    scale = d**-0.5 if scale is None else scale
    o = torch.zeros_like(q)
    for b, length in enumerate(lengths.tolist()):
        if length == 0:
            continue
        blocks = tables[b, : (length + block_size - 1) // block_size].long()
        k, v = (pool[blocks].transpose(0, 1).flatten(1, 2)[:, :length] for pool in (k_pool, v_pool))
        k, v = (x.repeat_interleave(heads // kv_heads, dim=0) for x in (k, v))
        s = q[b] @ k.mT * scale
        hidden = (torch.arange(n_q)[:, None] + length - n_q < 0).expand(n_q, length)
        s = s.masked_fill(hidden, -torch.inf)
        p = torch.softmax(s, dim=-1).masked_fill(hidden.all(dim=1)[:, None], 0.0)
        o[b] = p @ v
    return o
