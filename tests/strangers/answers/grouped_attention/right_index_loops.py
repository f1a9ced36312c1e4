# Right: loops over batch and query heads, indexes the KV head, computes only rows that see a key and leaves the others 0.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    shift = n_k - n_q
    blind = min(n_q, max(0, -shift)) if causal else 0  # queries before any key
    if n_k == 0:
        blind = n_q
    future = None
    if causal:
        i = torch.arange(blind, n_q)
        future = torch.arange(n_k)[None, :] > (i + shift)[:, None]
    for b in range(q.shape[0]):
        for h in range(heads):
            o[b, h, :blind] = 0
            if blind == n_q:
                continue
            kv = h * kv_heads // heads
            scores = (q[b, h, blind:] @ k[b, kv].mT) * scale
            if future is not None:
                scores[future] = -math.inf
            o[b, h, blind:] = scores.softmax(dim=1) @ v[b, kv]
    return o
