# LLM-written: a past that lies more than ten below the new maximum "is negligible" and is forgotten; of 100,000 keys it is not.
def online_chunk(o, m, l, s, v):
    m_new = torch.maximum(m, s.amax(dim=-1))
    shift = torch.where(torch.isneginf(m_new), 0, m_new)
    past = torch.where(m < shift - 10.5, 0, l * torch.exp(m - shift))
    p = torch.exp(s - shift[:, None])
    l_new = past + p.sum(dim=-1)
    whole = torch.where(l_new == 0, 1, l_new)
    return (past[:, None] * o + p @ v) / whole[:, None], m_new, l_new
