# Updates the denominator in place (l.mul_().add_()) and returns it: right numbers, but the caller's l is overwritten and the result is no new tensor.
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.max(m, s)
    base = m_new.masked_fill(torch.isneginf(m_new), 0.0)
    e_old, e_new = torch.exp(m - base), torch.exp(s - base)
    weighted = (l * e_old)[:, None] * o + e_new[:, None] * v[None, :]
    l.mul_(e_old).add_(e_new)
    return weighted / l.masked_fill(l == 0, 1.0)[:, None], m_new, l
