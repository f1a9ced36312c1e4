# uses the lowest float for masked scores and repairs only o, so a query that sees nothing reports m = -3.4e38 and l = M
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = (q * scale) @ k.mT
    if mask is not None:
        s = s.masked_fill(~mask, torch.finfo(s.dtype).min)
    m, _ = s.max(dim=1)
    p = (s - m[:, None]).exp()
    l = p.sum(dim=1)
    o = (p @ v) / l[:, None]
    if mask is not None:
        o = o * mask.any(dim=1, keepdim=True)
    return o, m, l
