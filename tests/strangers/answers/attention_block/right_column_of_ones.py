# Appends a column of ones to the values, so that one product gives numerators and denominator together.
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    factor = q.shape[1] ** -0.5 if scale is None else scale
    s = torch.mm(q, k.t()) * factor
    if mask is not None:
        s = torch.where(mask, s, torch.full_like(s, -torch.inf))
    m = s.amax(dim=1)
    p = torch.exp(s - m.masked_fill(torch.isneginf(m), 0).unsqueeze(1))
    sums = torch.mm(p, torch.cat((v, torch.ones_like(v[:, :1])), dim=1))
    l = sums[:, -1].clone()
    o = sums[:, :-1] / l.masked_fill(l == 0, 1).unsqueeze(1)
    return o, m, l
