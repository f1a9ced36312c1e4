# Shift by the row maximum clamped to a finite number, denominators clamped to at least 1 for the division (a seen row has l >= 1).
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    factor = 1 / q.shape[1] ** 0.5 if scale is None else scale
    s = factor * torch.mm(q, k.t())
    if mask is not None:
        s.masked_fill_(mask.logical_not(), -torch.inf)
    m = s.amax(1)
    p = torch.exp(s - m.clamp(min=torch.finfo(s.dtype).min)[:, None])
    l = p.sum(1)
    return (p / l.clamp(min=1)[:, None]) @ v, m, l
