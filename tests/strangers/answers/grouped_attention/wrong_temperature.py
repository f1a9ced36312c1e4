# Divides the scores by a temperature 1/scale, a ZeroDivisionError for the legal scale 0, and clamps N_k - N_q at 0, so with causal and N_q > N_k the mask is shifted and no query is blind.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    temperature = 1 / scale
    past = max(n_k - n_q, 0)
    for b, h in torch.cartesian_prod(torch.arange(q.shape[0]), torch.arange(heads)).tolist():
        kv = h * kv_heads // heads
        s = (q[b, h] @ k[b, kv].T) / temperature
        if causal:
            s += torch.full_like(s, -torch.inf).triu(past + 1)
        o[b, h] = s.softmax(1) @ v[b, kv]
    return o
