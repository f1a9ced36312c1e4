# Right: torch.addmm and torch.div, keepdim all the way.
import torch


def online_chunk(o, m, l, s, v):
    old_m, old_l = m.view(-1, 1), l.view(-1, 1)
    new_m = torch.max(old_m, s.amax(1, keepdim=True))
    zero = torch.zeros_like(new_m)
    base = torch.where(new_m > -torch.inf, new_m, zero)
    p = (s - base).exp_()
    past = old_l * (old_m - base).exp_()
    new_l = past + p.sum(1, keepdim=True)
    numerator = torch.addmm(past * o, p, v)
    denominator = torch.where(new_l > 0, new_l, zero + 1)
    return torch.div(numerator, denominator), new_m.squeeze(1), new_l.squeeze(1)
