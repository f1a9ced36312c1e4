# shifts all rows by the largest maximum among them and converts l afterwards; rows far below it lose their weights (0 or nan)
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s.amax(1))
    top = m_new.max()
    if top == -torch.inf:
        return o.clone(), m_new, l.clone()
    p = torch.exp(s - top)
    old = l * torch.exp(m - top)
    total = old + p.sum(1)
    o_new = (old[:, None] * o + p @ v) / torch.where(total > 0, total, 1.0)[:, None]
    back = torch.where(m_new > -torch.inf, torch.exp(top - m_new), 0.0)
    return o_new, m_new, torch.where(total > 0, total * back, 0.0)
