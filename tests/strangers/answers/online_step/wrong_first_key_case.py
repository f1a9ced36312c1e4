# special case for the first key for all rows at once: a row whose first score is masked gets o=v, l=1; empty state with s = (0.5, -inf)
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    if torch.isinf(m).all():  # no key so far: the output is the value
        return v.repeat(len(s), 1), s.clone(), torch.ones_like(l)
    m_new = torch.maximum(m, s)
    ref = torch.where(torch.isinf(m_new), torch.zeros_like(m_new), m_new)
    a = l * torch.exp(m - ref)
    b = torch.exp(s - ref)
    l_new = a + b
    d = torch.where(l_new == 0, torch.ones_like(l_new), l_new)
    return (a / d)[:, None] * o + (b / d)[:, None] * v, m_new, l_new
