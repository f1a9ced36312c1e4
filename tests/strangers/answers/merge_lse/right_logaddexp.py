# torch.logaddexp, and weights from differences that are taken only where something is seen
def merge_lse(o1, L1, o2, L2):
    L = torch.logaddexp(L1, L2)
    seen = L > -torch.inf
    w = [torch.where(seen, torch.exp(x - L), 0).unsqueeze(-1) for x in (L1, L2)]
    return w[0] * o1 + w[1] * o2, L
