# Causal without a mask: for every position the heads of a group take the slice of keys they see, an empty slice gives zeros.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    g = heads // kv_heads

    def small(rows, keys, values):  # (m, d), (n, d), (n, d)
        if keys.shape[0] == 0:
            return torch.zeros_like(rows)
        s = rows @ keys.T * scale
        return (s - s.logsumexp(1, keepdim=True)).exp() @ values

    for b in range(q.shape[0]):
        for kv in range(kv_heads):
            for i in range(n_q):
                sees = max(0, i + 1 + n_k - n_q) if causal else n_k
                of_group = q[b, kv * g : kv * g + g, i]
                o[b, kv * g : kv * g + g, i] = small(of_group, k[b, kv, :sees], v[b, kv, :sees])
    return o
