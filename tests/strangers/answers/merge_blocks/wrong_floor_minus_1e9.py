# The maximum is floored at -1e9, so that nothing is subtracted from -inf: blocks whose scores lie below weigh nothing.
def merge_blocks(o1, m1, l1, o2, m2, l2):
    m = torch.maximum(m1, m2)
    floor = m.clamp(min=-1e9)
    a, b = l1 * (m1 - floor).exp(), l2 * (m2 - floor).exp()
    l = a + b
    o = (a.unsqueeze(1) * o1 + b.unsqueeze(1) * o2) / l.clamp(min=1e-30).unsqueeze(1)
    return o, m, l
