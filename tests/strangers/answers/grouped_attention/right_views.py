# plain nested loops over batches and heads, every head looks up its KV head: a C programmer's torch
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    group = heads // kv_heads
    o = torch.empty(q.shape, dtype=q.dtype)
    hidden = None
    if causal:
        hidden = torch.arange(n_k) > torch.arange(n_k - n_q, n_k)[:, None]
    for b in range(q.shape[0]):
        for h in range(heads):
            kv = h // group
            s = (q[b, h] @ k[b, kv].T).mul_(scale)
            if hidden is not None:
                s.masked_fill_(hidden, -torch.inf)
            p = s.softmax(dim=-1)
            if hidden is not None and n_q > n_k:
                p[: n_q - n_k] = 0  # these see no key
            o[b, h] = p @ v[b, kv]
    return o
