# Multiplies the keys by the scale once at the start ("fewer multiplications than scaling S"), which is a copy of the size of k.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    k = k * scale
    g = heads // kv_heads
    mask = torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q)
    for b in range(q.shape[0]):
        for h in range(heads):
            s = q[b, h] @ k[b, h // g].T
            if causal:
                s = torch.where(mask, s, -torch.inf)
            p = torch.softmax(s, dim=-1)
            o[b, h] = torch.where(torch.isnan(p), 0.0, p) @ v[b, h // g]
    return o
