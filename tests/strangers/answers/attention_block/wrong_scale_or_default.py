# `scale or default` treats an explicit scale of 0 as None and uses 1/sqrt(d)
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    s = q @ k.T * (scale or q.shape[-1] ** -0.5)
    if mask is not None:
        s[~mask] = -torch.inf
    m = s.amax(-1)
    p = torch.exp(s - torch.where(torch.isneginf(m), 0.0, m)[:, None])
    l = p.sum(-1)
    o = (p / torch.where(l > 0, l, 1.0)[:, None]) @ v
    return o, m, l
