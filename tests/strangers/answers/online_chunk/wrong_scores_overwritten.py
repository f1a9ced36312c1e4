# exponentiates inside the score tensor and scales o in place: right numbers, but s and o of the caller are changed and o is no new tensor
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s.amax(dim=1))
    ref = torch.where(m_new == -torch.inf, torch.zeros_like(m_new), m_new)
    s.sub_(ref[:, None]).exp_()
    a = l * torch.exp(m - ref)
    l_new = a + s.sum(dim=1)
    o.mul_(a[:, None]).addmm_(s, v)
    o.div_(torch.where(l_new == 0, torch.ones_like(l_new), l_new)[:, None])
    return o, m_new, l_new
