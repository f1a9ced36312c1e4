# Triple loop over batch, head and query with the visible slice of the one KV head; no mask and no copy.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    group = heads // kv_heads
    for b in range(q.shape[0]):
        for h in range(heads):
            K, V = k[b, h // group], v[b, h // group]
            for i in range(n_q):
                visible = min(n_k, i + 1 + n_k - n_q) if causal else n_k
                if visible <= 0:
                    o[b, h, i] = 0
                    continue
                s = K[:visible].mv(q[b, h, i]).mul(scale)
                w = torch.exp(s - s.max())
                o[b, h, i] = V[:visible].T.mv(w) / w.sum()
    return o
