# Right: past and key are two candidates with multiplicities l and 1 on an axis of their own, weighted by one einsum.
def online_step(o, m, l, s, v):
    exponents = torch.stack([m, s])  # (2, R)
    top = exponents.amax(dim=0)
    base = top.masked_fill(top == -torch.inf, 0.0)
    weights = torch.exp(exponents - base) * torch.stack([l, torch.ones_like(l)])
    total = weights.sum(dim=0)
    share = weights / total.masked_fill(total == 0, 1.0)
    means = torch.stack([o, v.expand_as(o)])  # (2, R, d_v)
    return torch.einsum("tr,trd->rd", share, means), top, total
