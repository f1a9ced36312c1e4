# Picks the scale with "scale or default", so the legal scale 0 is taken for None and replaced by 1/sqrt(d).
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    s = q @ k.T * (scale or q.shape[-1] ** -0.5)
    if mask is not None:
        s = torch.where(mask, s, -torch.inf)
    m = s.max(dim=-1).values
    e = torch.exp(s - torch.where(m == -torch.inf, 0.0, m)[:, None])
    l = e.sum(-1)
    return e @ v / torch.where(l == 0, 1.0, l)[:, None], m, l
