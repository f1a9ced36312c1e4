# the printed update with addmm and guards where nothing has been seen
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s.amax(dim=1))
    ref = m_new.masked_fill(m_new.isneginf(), 0.0)
    p = torch.exp(s - ref[:, None])
    carried = l * torch.exp(m - ref)
    l_new = carried + p.sum(dim=1)
    o_new = torch.addmm(carried[:, None] * o, p, v) / l_new.masked_fill(l_new == 0, 1.0)[:, None]
    return o_new, m_new, l_new
