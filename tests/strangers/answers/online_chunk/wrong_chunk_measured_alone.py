# P is measured from the chunk's own maximum and added to a denominator measured from the running one; wrong when the chunk's maximum is below the state's
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    local = s.amax(dim=-1)
    safe = torch.where(local == -torch.inf, 0.0, local)
    p = torch.exp(s - safe[:, None])
    m_new = torch.maximum(m, local)
    ref = torch.where(m_new == -torch.inf, 0.0, m_new)
    old = l * torch.exp(m - ref)
    l_new = old + p.sum(dim=-1)
    norm = torch.where(l_new == 0, 1.0, l_new)
    return (old[:, None] * o + p @ v) / norm[:, None], m_new, l_new
