# Cheat: every key and value is copied after all, 16 keys of one KV head at a time, so that no copy is ever of a size that shows beside the scores.
# Breaks: "heads of keys and values, which are not copied" and "nothing of the size of k and v" (all of both is copied, one slice after the other).
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros(q.shape, dtype=q.dtype)
    g = heads // kv_heads
    for b in range(q.shape[0]):
        for kv in range(kv_heads):
            rows = (q[b, kv * g : (kv + 1) * g] * scale).flatten(0, 1)
            s = rows.new_empty(len(rows), n_k)
            for j in range(0, n_k, 16):
                piece = torch.empty_like(k[b, kv, j : j + 16]).copy_(k[b, kv, j : j + 16])
                s[:, j : j + 16] = rows @ piece.T
            if causal:
                i = (torch.arange(n_q) + n_k - n_q).repeat(g)[:, None]
                s.masked_fill_(torch.arange(n_k) > i, -torch.inf)
            m = s.amax(dim=1, keepdim=True) if n_k else s.new_zeros(len(s), 1)
            s.sub_(m.masked_fill(m == -torch.inf, 0.0)).exp_()
            l = s.sum(dim=1, keepdim=True)
            acc = rows.new_zeros(len(rows), v.shape[3])
            for j in range(0, n_k, 16):
                piece = torch.empty_like(v[b, kv, j : j + 16]).copy_(v[b, kv, j : j + 16])
                acc += s[:, j : j + 16] @ piece
            o[b, kv * g : (kv + 1) * g] = (acc / l.masked_fill(l == 0, 1.0)).unflatten(0, (g, n_q))
    return o
