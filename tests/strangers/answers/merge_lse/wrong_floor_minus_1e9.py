# The larger L is floored at -1e9, so that -inf is never subtracted from itself: blocks that lie below count as empty.
def merge_lse(o1, L1, o2, L2):
    top = torch.clamp(torch.maximum(L1, L2), min=-1e9)
    w1, w2 = torch.exp(L1 - top), torch.exp(L2 - top)
    s = w1 + w2
    o = (w1[:, None] * o1 + w2[:, None] * o2) / s.clamp(min=1e-20)[:, None]
    return o, top + torch.log(s)
