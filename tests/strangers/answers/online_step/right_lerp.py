# the new output as a step from the old one towards the value, by torch.lerp
def online_step(o, m, l, s, v):
    top = torch.maximum(m, s)
    seen = top > -torch.inf
    old = torch.where(seen, l * torch.exp(m - top), 0)
    new = torch.where(seen, torch.exp(s - top), 0)
    both = old + new
    w = torch.where(seen, new / both, 0)
    return torch.lerp(o, v.expand_as(o), w[:, None]), top, both
