# Right: drops the queries that see no key first, then one product for each KV head whose query heads are stacked in the rows.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    group = heads // kv_heads
    blind = max(0, n_q - n_k) if causal else 0  # the first queries, which see nothing
    o[:, :, :blind] = 0
    future = None
    if causal:
        last = torch.arange(blind, n_q) + (n_k - n_q)
        future = torch.arange(n_k) > last[:, None]
    for b in range(q.shape[0]):
        for j in range(kv_heads):
            mine = slice(j * group, (j + 1) * group)
            rows = q[b, mine, blind:]
            s = (rows.reshape(-1, q.shape[3]) @ k[b, j].T).mul_(scale)
            s = s.view(group, n_q - blind, n_k)
            if future is not None:
                s.masked_fill_(future, -torch.inf)
            p = torch.softmax(s, dim=2).flatten(0, 1)
            o[b, mine, blind:] = (p @ v[b, j]).unflatten(0, (group, n_q - blind))
    return o
