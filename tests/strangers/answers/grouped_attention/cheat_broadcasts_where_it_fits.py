# Cheat: where the scores are larger than a copy of the keys for every query head, the keys are stretched by broadcasting (the product writes the copies down inside); only where that would show, heads are packed.
# Breaks: "Attention of H query heads with H_kv heads of keys and values, which are not copied."
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    g, d = heads // kv_heads, q.shape[-1]
    q5 = q.unflatten(1, (kv_heads, g)) * scale
    if n_q >= d:
        s = torch.matmul(q5, k[:, :, None].transpose(-1, -2))
    else:
        s = (q5.reshape(-1, kv_heads, g * n_q, d) @ k.transpose(-1, -2)).unflatten(2, (g, n_q))
    if causal:
        i = torch.arange(n_q)[:, None] + n_k - n_q
        s = s.masked_fill(torch.arange(n_k) > i, -torch.inf)
    m = s.amax(dim=-1, keepdim=True) if n_k else s.new_zeros(*s.shape[:-1], 1)
    p = (s - m.masked_fill(m == -torch.inf, 0.0)).exp_()
    l = p.sum(dim=-1, keepdim=True)
    if n_q >= d:
        o = torch.matmul(p, v[:, :, None])
    else:
        o = (p.flatten(2, 3) @ v).unflatten(2, (g, n_q))
    return (o / l.masked_fill(l == 0, 1.0)).flatten(1, 2)
