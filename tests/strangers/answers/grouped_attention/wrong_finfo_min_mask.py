# Masks with finfo.min as Hugging Face does, so a query without any visible key (causal, N_q > N_k) gets the mean of all values instead of zeros.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    g = heads // kv_heads
    position = torch.arange(n_q) + (n_k - n_q)
    for h in range(heads):
        for b in range(q.shape[0]):
            attn_weights = torch.matmul(q[b, h], k[b, h // g].transpose(0, 1)) * scale
            if causal:
                future = torch.arange(n_k) > position.unsqueeze(1)
                attn_weights.masked_fill_(future, torch.finfo(q.dtype).min)
            o[b, h] = torch.softmax(attn_weights, dim=-1) @ v[b, h // g]
    return o
