# A query that sees no key is given l = 1 instead of 0, the divisor made safe is returned.
import torch


def attention_block(q, k, v, mask=None, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * q @ k.T
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    m = s.amax(dim=1)
    p = torch.exp(s - torch.where(m == -torch.inf, 0.0, m)[:, None])
    l = p.sum(dim=1)
    l = torch.where(l == 0, 1.0, l)
    return p @ v / l[:, None], m, l
