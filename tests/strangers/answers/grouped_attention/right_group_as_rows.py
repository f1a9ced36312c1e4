# one product for each KV head: the rows of its g query heads stand below each other, softmax by hand
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    g = heads // kv_heads
    o = torch.zeros(q.shape, dtype=q.dtype)
    if n_k == 0:
        return o
    position = torch.arange(n_q).repeat(g)  # of each row
    for b in range(q.shape[0]):
        for kv in range(kv_heads):
            mine = slice(kv * g, (kv + 1) * g)
            s = scale * (q[b, mine].reshape(g * n_q, q.shape[-1]) @ k[b, kv].T)
            if causal:
                s.masked_fill_(torch.arange(n_k) > position[:, None] + n_k - n_q, -torch.inf)
            top = s.amax(dim=1, keepdim=True)
            top.masked_fill_(top == -torch.inf, 0.0)
            e = s.sub_(top).exp_()
            total = e.sum(dim=1, keepdim=True)
            total.masked_fill_(total == 0, 1.0)
            o[b, mine] = ((e @ v[b, kv]) / total).view(g, n_q, q.shape[-1])
    return o
