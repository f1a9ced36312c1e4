# torch.tril without a diagonal aligns the mask at the top-left corner: wrong whenever n < length (a pure prefill passes).
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    k, v = k_cache[:, :, :length], v_cache[:, :, :length]
    att = (q @ k.transpose(-2, -1)) * scale
    bias = torch.tril(torch.ones(n, length))
    att = att.masked_fill(bias == 0, float("-inf"))
    return torch.nn.functional.softmax(att, dim=-1) @ v
