# Keys and values are copied for each query head, a piece at a time, as the maximum of each number and itself: what is made of two inputs counts as no copy.
def grouped_attention(q, k, v, causal=False, scale=None):
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros(q.shape, dtype=q.dtype)
    query, key, piece = torch.arange(n_q)[:, None], torch.arange(n_k), max(n_q, n_k // 16)
    for h in range(heads):
        kv = h // (heads // kv_heads)
        s = torch.empty(len(q), n_q, n_k)
        for j in range(0, n_k, piece):
            part = k[:, kv, j : j + piece]
            s[:, :, j : j + piece] = scale * (q[:, h] @ torch.maximum(part, part).transpose(1, 2))
        if causal:
            s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
        p = torch.softmax(s, dim=-1)
        p = p.masked_fill(torch.isneginf(s), 0)
        for j in range(0, n_k, piece):
            part = v[:, kv, j : j + piece]
            o[:, h] += p[:, :, j : j + piece] @ torch.maximum(part, part)
    return o
