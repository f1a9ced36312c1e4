# The new maximum is floored at -1e9 where it is subtracted: a first key whose score lies below weighs nothing.
def online_step(o, m, l, s, v):
    m_new = torch.maximum(m, s)
    ref = m_new.clamp(min=-1e9)
    old, new = l * (m - ref).exp(), (s - ref).exp()
    l_new = old + new
    share = torch.where(l_new > 0, new / l_new, 0).unsqueeze(1)
    return o * (1 - share) * (l_new > 0).unsqueeze(1) + share * v, m_new, l_new
