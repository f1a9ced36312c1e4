# A student's: l is at least 1e-12, so that nothing is divided by 0; of a row that has seen no key it is not 0 any more.
def online_chunk(o, m, l, s, v):
    m_new = torch.maximum(m, s.amax(dim=-1))
    shift = torch.where(torch.isneginf(m_new), 0, m_new)
    past = l * torch.exp(m - shift)
    p = torch.exp(s - shift[:, None])
    l_new = (past + p.sum(dim=-1)).clamp(min=1e-12)
    return (past[:, None] * o + p @ v) / l_new[:, None], m_new, l_new
