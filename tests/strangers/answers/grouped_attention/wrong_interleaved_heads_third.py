# Wrong: query head h takes KV head h % H_kv (heads of a group H_kv apart) instead of h // g; right for multi-head and multi-query shapes, wrong for 1 < H_kv < H.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    visible = torch.ones(n_q, n_k, dtype=torch.bool)
    if causal:
        visible = visible.tril(n_k - n_q)
    lonely = ~visible.any(dim=1)
    for b in range(q.shape[0]):
        for h in range(heads):
            s = scale * torch.einsum("id,jd->ij", q[b, h], k[b, h % kv_heads])
            s = s.masked_fill(~visible, float("-inf"))
            p = torch.softmax(s, dim=-1).masked_fill(lonely[:, None], 0.0)
            o[b, h] = torch.einsum("ij,jd->id", p, v[b, h % kv_heads])
    return o
