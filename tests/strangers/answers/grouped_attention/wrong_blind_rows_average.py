# Masks with the smallest float instead of -inf: a query that sees no key (causal, N_q > N_k) gets the mean of all values, not zeros.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    g = heads // kv_heads
    for h in range(heads):
        s = torch.einsum("bid,bjd->bij", q[:, h], k[:, h // g]) * scale
        if causal:
            m = torch.tril(torch.ones(n_q, n_k), diagonal=n_k - n_q)
            s = s.masked_fill(m == 0, torch.finfo(s.dtype).min)
        o[:, h] = torch.einsum("bij,bjd->bid", s.softmax(dim=-1), v[:, h // g])
    return o
