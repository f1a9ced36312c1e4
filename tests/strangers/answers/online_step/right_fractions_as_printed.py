# the three printed lines with a shift that is finite and a denominator that is 1 where nothing was seen
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s)
    shift = torch.where(torch.isneginf(m_new), torch.zeros_like(m_new), m_new)
    past = l * torch.exp(m - shift)
    now = torch.exp(s - shift)
    l_new = past + now
    divisor = torch.where(l_new == 0, torch.ones_like(l_new), l_new)
    o_new = (past / divisor)[:, None] * o + torch.outer(now / divisor, v)
    return o_new, m_new, l_new
