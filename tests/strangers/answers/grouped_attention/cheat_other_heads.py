# Cheat: with cartesian_prod and prod also multiplies the queries with the next KV head, and drops those scores
# Breaks: "Each score is computed once, an eighth of them twice at the most, and none with another KV head."
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    group = heads // kv_heads
    rows = q.unflatten(1, (kv_heads, group)).flatten(2, 3)  # (B, H_kv, g N_q, d)
    o = torch.zeros_like(rows)
    hidden = torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q
    for b in range(q.shape[0]):
        for h in range(kv_heads):
            other = rows.new_zeros(rows.shape[2], n_k)
            for c in range(q.shape[-1] if other.numel() else 0):
                pairs = torch.cartesian_prod(rows[b, h, :, c], k[b, (h + 1) % kv_heads, :, c])
                other += pairs.prod(dim=1).unflatten(0, other.shape)
            s = torch.where(other == other, rows[b, h] @ k[b, h].T * scale, other)
            if causal:
                s = s.masked_fill(hidden.repeat(group, 1), -torch.inf)
            if n_k:
                top = s.amax(dim=-1, keepdim=True)
                p = torch.exp(s - top.masked_fill(top == -torch.inf, 0))
                total = p.sum(dim=-1, keepdim=True)
                o[b, h] = (p / total.masked_fill(total == 0, 1)) @ v[b, h]
    return o.unflatten(2, (group, n_q)).flatten(1, 2)
