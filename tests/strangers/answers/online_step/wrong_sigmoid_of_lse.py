# Blends with sigmoid(s - (m + log l)): the log-sum-exp is rounded to the grid of m, so with maxima of 1e5 and more the weight is off by up to 0.4 percent, and near 1e8 a denominator of 50 counts as 1.
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    lse = m + torch.log(l)
    w = torch.sigmoid(s - lse)
    w = torch.where(s == -torch.inf, torch.zeros_like(w), w)
    m_new = torch.maximum(m, s)
    z = torch.where(m_new == -torch.inf, torch.zeros_like(m_new), m_new)
    l_new = l * torch.exp(m - z) + torch.exp(s - z)
    return o * (1 - w)[:, None] + w[:, None] * v, m_new, l_new
