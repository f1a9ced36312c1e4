# The new maximum is floored at -1e9 where it is subtracted: a chunk whose scores lie below weighs nothing.
def online_chunk(o, m, l, s, v):
    m_new = torch.maximum(m, s.max(dim=1).values)
    ref = m_new.clamp(min=-1e9)
    old, p = l * (m - ref).exp(), (s - ref.unsqueeze(1)).exp()
    l_new = old + p.sum(1)
    num = old.unsqueeze(1) * o + torch.mm(p, v)
    return num / l_new.where(l_new > 0, 1).unsqueeze(1), m_new, l_new
