# A student's: exponents are held at -20 "against underflow"; of a past of 100,000 keys far below 2e-4 stays where nothing should.
def online_step(o, m, l, s, v):
    m_new = torch.maximum(m, s)
    shift = torch.where(torch.isneginf(m_new), 0, m_new)
    past = l * torch.exp((m - shift).clamp(min=-20))
    now = torch.where(torch.isneginf(s), 0, torch.exp((s - shift).clamp(min=-20)))
    l_new = past + now
    whole = torch.where(l_new == 0, 1, l_new)
    return (past / whole)[:, None] * o + (now / whole)[:, None] * v, m_new, l_new
