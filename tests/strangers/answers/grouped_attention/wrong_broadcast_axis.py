# Gives the keys an axis of length 1 and leaves it to matmul, which writes the stretched keys and values down: memory of g times k for g > 1, values right.
def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    grouped = q.view(q.shape[0], kv_heads, heads // kv_heads, n_q, -1)
    s = grouped @ k.unsqueeze(2).transpose(-1, -2) * scale
    if causal:
        blind = torch.arange(n_k)[None] > torch.arange(n_q)[:, None] + n_k - n_q
        s.masked_fill_(blind, -torch.inf)
        p = s.softmax(-1).masked_fill(blind, 0.0)
    else:
        p = s.softmax(-1)
    return (p @ v.unsqueeze(2)).flatten(1, 2)
