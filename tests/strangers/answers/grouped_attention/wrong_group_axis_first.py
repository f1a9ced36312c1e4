# Wrong: splits the heads as (group, KV head), so that query head h takes KV head h % H_kv; right for multi-head and for multi-query attention, wrong for any 1 < H_kv < H.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    by_group = q.unflatten(1, (heads // kv_heads, kv_heads))
    out_by_group = o.unflatten(1, (heads // kv_heads, kv_heads))
    visible = torch.arange(n_k)[None, :] <= torch.arange(n_q)[:, None] + n_k - n_q
    for g in range(heads // kv_heads):
        s = torch.matmul(by_group[:, g], k.mT) * scale
        if causal:
            s = s.masked_fill(~visible, float("-inf"))
        p = torch.softmax(s, dim=-1)
        if causal:
            p = p.masked_fill(~visible, 0.0)
        out_by_group[:, g] = torch.matmul(p, v)
    return o
