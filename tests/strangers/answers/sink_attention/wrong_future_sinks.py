# Wrong: the sinks are or-ed in after the causal mask, so queries at positions below sinks - 1 see sinks of their future; with 0 or 1 sinks, or queries behind all sinks, it is right.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.arange(n_k - n_q, n_k).view(-1, 1)
    j = torch.arange(n_k).view(1, -1)
    mask = (j <= p) & (j > p - window)
    mask[:, :sinks] = True
    attn = (q @ k.T) * scale
    attn = attn.masked_fill(mask == 0, float("-inf"))
    return attn.softmax(dim=-1) @ v
