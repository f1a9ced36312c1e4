# Takes the maximum over all keys and multiplies the exponentials by the mask afterwards, so m and l are those of another reference where a masked key has the largest score, and underflow to nothing where it is 100 larger.
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    if scale is None:
        scale = q.shape[1] ** -0.5
    s = (q @ k.T) * scale
    m = s.max(dim=1).values
    e = (s - m.unsqueeze(1)).exp()
    if mask is not None:
        e = e * mask
        m = m.masked_fill(~mask.any(dim=1), -torch.inf)
    l = e.sum(dim=1)
    o = (e @ v) / torch.where(l > 0, l, torch.ones_like(l)).unsqueeze(1)
    return o, m, l
