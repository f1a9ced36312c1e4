# The queries of a group stand one below the other (head slow, position fast) and meet the keys of their KV head in one product.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    g, d = heads // kv_heads, q.shape[-1]
    position = torch.arange(n_q).repeat(g)  # of each stacked row
    hidden = torch.arange(n_k) > position[:, None] + (n_k - n_q)
    for b in range(q.shape[0]):
        for kv in range(kv_heads):
            mine = slice(kv * g, (kv + 1) * g)
            s = (q[b, mine].reshape(g * n_q, d) @ k[b, kv].mT).mul_(scale)
            if causal:
                s.masked_fill_(hidden, -torch.inf)
            p = torch.softmax(s, dim=-1)
            if causal:
                p.masked_fill_(hidden.all(dim=-1, keepdim=True), 0)
            o[b, mine] = (p @ v[b, kv]).view(g, n_q, d)
    return o
