# Plain loops over heads and queries; each query takes exactly the keys it sees, found by token addresses.
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
        token = torch.arange(length)
        block, slot = tables[b].long()[token // block_size], token % block_size
        for h in range(q.shape[1]):
            keys = k_pool[block, h // group, slot]
            values = v_pool[block, h // group, slot]
            for i in range(n_q):
                sees = i + length - n_q + 1
                if sees <= 0:
                    continue
                s = keys[:sees] @ q[b, h, i] * scale
                o[b, h, i] = torch.softmax(s, dim=0) @ values[:sees]
    return o
