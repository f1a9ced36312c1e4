# Cheat: copies each head's keys and values in small pieces, as minima over an expanded axis
# Breaks: "Attention of H query heads with H_kv heads of keys and values, which are not copied."
def copied(x: Tensor) -> Tensor:
    return x[None].expand(2, *x.shape).amin(dim=0)


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    group, step = heads // kv_heads, 4
    rows = q.unflatten(1, (kv_heads, group))  # (B, H_kv, g, N_q, d)
    s = q.new_empty(*rows.shape[:4], n_k)
    for h in range(kv_heads):
        for j in range(0, n_k, step):
            keys = copied(k[:, h, j : j + step])
            s[:, h, ..., j : j + step] = rows[:, h] @ keys[:, None].transpose(-1, -2)
    s *= scale
    if causal:
        hidden = torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q
        s.masked_fill_(hidden, -torch.inf)
    top = s.amax(dim=-1, keepdim=True) if n_k else s.new_zeros(*s.shape[:4], 1)
    s -= top.masked_fill(top == -torch.inf, 0)
    s.exp_()
    total = s.sum(dim=-1, keepdim=True)
    s /= total.masked_fill(total == 0, 1)
    o = torch.zeros_like(rows, memory_format=torch.contiguous_format)
    for h in range(kv_heads):
        for j in range(0, n_k, step):
            o[:, h] += s[:, h, ..., j : j + step] @ copied(v[:, h, j : j + step])[:, None]
    return o.flatten(1, 2)
