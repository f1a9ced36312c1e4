# If every score is masked, the state's own tensors are returned instead of new ones.
import torch


def online_step(o, m, l, s, v):
    if (s == -torch.inf).all():
        return o, m, l
    top = torch.maximum(m, s)
    base = torch.where(top == -torch.inf, 0.0, top)
    a, e = l * torch.exp(m - base), torch.exp(s - base)
    total = a + e
    divisor = torch.where(total == 0, 1.0, total)
    return (a / divisor)[:, None] * o + (e / divisor)[:, None] * v, top, total
