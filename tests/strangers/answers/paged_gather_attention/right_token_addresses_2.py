# address of every token by // and %, grouped einsum, only queries that see something; keeps the contract
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
        new = min(length, n_q)  # queries that see a key
        if new == 0:
            continue
        j = torch.arange(length, device=q.device)
        block = tables[b].long()[j // block_size]
        keys = k_pool[block, :, j % block_size]  # (length, H_kv, d)
        values = v_pool[block, :, j % block_size]
        x = q[b, :, n_q - new :].unflatten(0, (-1, group))  # (H_kv, group, new, d)
        s = torch.einsum("hgid,jhd->hgij", x, keys) * scale
        later = j[None, :] > torch.arange(length - new, length, device=q.device)[:, None]
        p = torch.softmax(s.masked_fill(later, -torch.inf), dim=-1)
        o[b, :, n_q - new :] = torch.einsum("hgij,jhd->hgid", p, values).flatten(0, 1)
    return o
