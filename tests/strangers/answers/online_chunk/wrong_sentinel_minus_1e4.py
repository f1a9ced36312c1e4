# replaces -inf by -1e4 in scores and state to avoid nan, so an empty state with a masked chunk becomes (mean of v, -1e4, C), and masked keys count in rows with scores below -1e4
def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    low = -1e4
    s, m = torch.clamp(s, min=low), torch.clamp(m, min=low)
    m_new = torch.maximum(m, s.amax(dim=1))
    p = torch.exp(s - m_new[:, None])
    a = torch.exp(m - m_new) * l
    l_new = a + p.sum(dim=1)
    return (a[:, None] * o + p @ v) / l_new[:, None], m_new, l_new
