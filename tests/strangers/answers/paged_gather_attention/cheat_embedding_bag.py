# Cheat: computes each score twice, the second time as weighted sums of an embedding_bag over the columns of the keys
# Breaks: "queries meet the blocks in their own sequence's table, once, an eighth of them twice at the most"
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
        new = min(length, n_q)
        if new == 0:
            continue
        table = tables[b, : -(-length // block_size)].long()
        k = k_pool[table].transpose(0, 1).flatten(1, 2)[:, :length]  # (H_kv, length, d)
        v = v_pool[table].transpose(0, 1).flatten(1, 2)[:, :length]
        rows = q[b, :, n_q - new :].unflatten(0, (-1, group)).flatten(1, 2)  # (H_kv, g new, d)
        s = rows @ k.transpose(1, 2)
        columns = torch.arange(rows.shape[2]).expand(rows.shape[1], -1).contiguous()
        for h in range(rows.shape[0]):
            weights = rows[h].contiguous()
            s[h] += torch.nn.functional.embedding_bag(
                columns, k[h].T.contiguous(), per_sample_weights=weights, mode="sum"
            )
        s = s.unflatten(1, (group, new)) * (0.5 * scale)
        hidden = torch.arange(length) > torch.arange(length - new, length)[:, None]
        p = torch.softmax(s.masked_fill(hidden, -torch.inf), dim=-1)
        o[b, :, n_q - new :] = (p @ v[:, None]).flatten(0, 1)
    return o
