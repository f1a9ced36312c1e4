# Divides by the whole-number root of d, math.isqrt, which is the root only where d is a square.
import math


def attention_block(q, k, v, mask=None, scale=None):
    s = q @ k.T * (scale if scale is not None else 1 / math.isqrt(q.shape[1]))
    if mask is not None:
        s = s.masked_fill(mask.logical_not(), -math.inf)
    m = s.amax(1)
    e = torch.exp(s - m.where(m > -math.inf, 0).unsqueeze(1))
    l = e.sum(1)
    return (e @ v) / l.where(l > 0, 1).unsqueeze(1), m, l
