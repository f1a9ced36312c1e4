# zeroes rows whose chunk is masked instead of leaving their state as it is
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    blocked = torch.isneginf(s).all(dim=1)
    m_new = torch.maximum(m, s.amax(dim=1))
    p = torch.exp(s - m_new[:, None])
    a = l * torch.exp(m - m_new)
    l_new = a + p.sum(dim=1)
    o_new = (a[:, None] * o + p @ v) / l_new[:, None]
    o_new = o_new.masked_fill(blocked[:, None], 0.0)
    return o_new, m_new, l_new.masked_fill(blocked, 0.0)
