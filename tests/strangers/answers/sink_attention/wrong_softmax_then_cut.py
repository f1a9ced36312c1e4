# Wrong: softmax over all causal keys first, then cuts the window and the sinks out and divides by what is left; equal on paper, but where a key outside the window dominates (scores about 100 higher) the rest underflows and 0/0 gives NaN.
def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    back = torch.arange(n_k - n_q, n_k)[:, None] - torch.arange(n_k)[None, :]
    attn = (q @ k.T * scale).masked_fill(back < 0, float("-inf")).softmax(dim=-1)
    attn = attn * ((back < window) | (torch.arange(n_k) < sinks))
    attn = attn / attn.sum(dim=-1, keepdim=True)
    return attn @ v
