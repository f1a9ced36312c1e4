# FlashAttention-2 port: takes the maximum of the unscaled products and multiplies it by the scale afterwards; with a negative scale that is the smallest score, m is wrong and the exponentials overflow.
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    softmax_scale = q.shape[-1] ** -0.5 if scale is None else scale
    acc_s = q @ k.transpose(0, 1)
    if mask is None:
        mask = torch.ones_like(acc_s, dtype=torch.bool)
    raw_max = acc_s.masked_fill(~mask, -torch.inf).amax(dim=1)
    max_scaled = torch.where(raw_max == -torch.inf, torch.zeros_like(raw_max), raw_max * softmax_scale)
    p = torch.exp(acc_s * softmax_scale - max_scaled[:, None])
    p = torch.where(mask, p, torch.zeros_like(p))
    row_sum = p.sum(dim=1)
    inv = torch.where(row_sum == 0, torch.ones_like(row_sum), 1 / row_sum)
    blind = raw_max == -torch.inf
    return (p @ v) * inv[:, None], torch.where(blind, raw_max, max_scaled), row_sum
