# Replaces a maximum of -inf by 0 to avoid nan and returns that 0 as the new m: a query that has seen only masked keys gets the state (0, 0, 0) in place of (0, -inf, 0).
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s)
    m_new = torch.where(m_new == float("-inf"), torch.zeros_like(m_new), m_new)
    alpha = torch.exp(m - m_new)
    p = torch.exp(s - m_new)
    l_new = l * alpha + p
    l_div = torch.where(l_new == 0, torch.ones_like(l_new), l_new)
    o_new = (l * alpha / l_div).unsqueeze(-1) * o + (p / l_div).unsqueeze(-1) * v
    return o_new, m_new, l_new
