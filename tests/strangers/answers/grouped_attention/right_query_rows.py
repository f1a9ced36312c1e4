# position by position: the g heads of a position are g rows that see the same prefix of keys, so there is no mask at all; right
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    batch, heads, n_q, d = q.shape
    kv_heads, n_k = k.shape[1:3]
    factor = d**-0.5 if scale is None else scale
    out = torch.zeros(batch, kv_heads, heads // kv_heads, n_q, d, dtype=q.dtype)
    groups = q.unflatten(1, (kv_heads, -1))
    for i in range(n_q):
        seen = max(0, min(n_k, i + 1 + n_k - n_q)) if causal else n_k
        if seen == 0:
            continue
        for b in range(batch):
            for kv in range(kv_heads):
                s = groups[b, kv, :, i] @ k[b, kv, :seen].t() * factor
                p = torch.exp(s - s.amax(dim=1, keepdim=True))
                out[b, kv, :, i] = p @ v[b, kv, :seen] / p.sum(dim=1, keepdim=True)
    return out.flatten(1, 2)
