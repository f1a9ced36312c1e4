# Splits the head axis as (g, H_kv) rather than (H_kv, g), so query head h meets KV head h % H_kv; right for MHA and MQA only.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    g = heads // kv_heads
    q5, o5 = q.unflatten(1, (g, kv_heads)), o.unflatten(1, (g, kv_heads))
    seen = torch.arange(n_k) <= torch.arange(n_q)[:, None] + n_k - n_q
    for r in range(g):
        s = (q5[:, r] @ k.mT) * scale
        if causal:
            s = s.masked_fill(~seen, -torch.inf)
        o5[:, r] = s.softmax(-1).nan_to_num(0.0) @ v
    return o
