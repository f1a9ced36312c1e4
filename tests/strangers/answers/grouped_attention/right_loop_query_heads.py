# One plain attention per batch and query head, keys by h // g as views; rows without keys are zeroed with torch.where.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    g = heads // kv_heads
    for b in range(q.shape[0]):
        for h in range(heads):
            s = scale * (q[b, h] @ k[b, h // g].T)
            if causal:
                i, j = torch.arange(n_q)[:, None], torch.arange(n_k)
                s = torch.where(j <= i + n_k - n_q, s, -torch.inf)
            top = s.amax(dim=1, keepdim=True) if n_k else torch.zeros(n_q, 1)
            w = torch.exp(s - torch.where(top.isinf(), 0.0, top))
            total = w.sum(dim=1, keepdim=True)
            o[b, h] = (w @ v[b, h // g]) / torch.where(total > 0, total, 1.0)
    return o
