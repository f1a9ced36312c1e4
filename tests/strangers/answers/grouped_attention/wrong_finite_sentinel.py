# Wrong: masks with torch.finfo.min instead of -inf, so a causal query that sees no key (N_q > N_k) gives the mean of all values rather than zeros; N_q <= N_k is right.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    g = heads // kv_heads
    min_value = torch.finfo(q.dtype).min
    keep = torch.tril(torch.ones((n_q, n_k), dtype=torch.bool), diagonal=n_k - n_q)
    for kv in range(kv_heads):
        for j in range(g):
            h = kv * g + j
            logits = torch.bmm(q[:, h], k[:, kv].transpose(1, 2)) * scale
            if causal:
                logits = torch.where(keep, logits, torch.full_like(logits, min_value))
            o[:, h] = torch.bmm(torch.softmax(logits, -1), v[:, kv])
    return o
