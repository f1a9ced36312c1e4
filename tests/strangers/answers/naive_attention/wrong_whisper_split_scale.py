# Whisper port: puts the square root of |scale| on q and on k, which loses the sign, so a negative scale gives the attention of the positive one.
def naive_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    root = abs(scale) ** 0.5
    qk = (q * root) @ (k * root).transpose(-1, -2)
    if causal:
        future = torch.ones(n_q, n_k, dtype=torch.bool, device=q.device).triu(n_k - n_q + 1)
        qk = qk.masked_fill(future, -torch.inf)
    w = qk.softmax(-1)
    return w.masked_fill(torch.isneginf(qk), 0) @ v
