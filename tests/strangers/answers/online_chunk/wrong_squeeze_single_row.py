# Carries the statistics as columns and takes the extra axis away with a bare squeeze(), so for a single query (R = 1) m and l come back without any axis.
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m, l = m.reshape(-1, 1), l.reshape(-1, 1)
    m_new = torch.max(m, s.max(dim=-1, keepdim=True)[0])
    zero = torch.zeros_like(m_new)
    m_ref = torch.where(m_new > -float("inf"), m_new, zero)
    P = torch.exp(s - m_ref)
    scale = torch.exp(m - m_ref)
    l_new = scale * l + P.sum(-1, keepdim=True)
    denom = torch.where(l_new > 0, l_new, zero + 1)
    o_new = (l * scale / denom) * o + (P / denom) @ v
    return o_new, m_new.squeeze(), l_new.squeeze()
