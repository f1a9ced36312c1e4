# leaves l out of the fraction of the old output; wrong from the second key on, since all keys before count as one
def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s)
    shift = m_new.masked_fill(m_new == -torch.inf, 0.0)
    a, b = torch.exp(m - shift), torch.exp(s - shift)
    l_new = l * a + b
    safe = l_new.masked_fill(l_new == 0, 1.0)
    return (a / safe)[:, None] * o + (b / safe)[:, None] * v, m_new, l_new
