# Right: torch.addcmul and unsqueeze, two coefficients that sum to 1.
import torch


def online_step(o, m, l, s, v):
    top = torch.maximum(m, s)
    base = top.masked_fill(top == -torch.inf, 0.0)
    past, now = l * torch.exp(m - base), torch.exp(s - base)
    total = past + now
    safe = total.masked_fill(total == 0, 1.0)
    keep, gain = past.div(safe).unsqueeze(1), now.div(safe).unsqueeze(1)
    return torch.addcmul(keep * o, gain, v), top, total
