# Wrong: `scale or 1/sqrt(d)` takes a scale of 0 for None.
# Breaks: "scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None."
import torch


def attention_block(q, k, v, mask=None, scale=None):
    scale = scale or q.shape[-1] ** -0.5
    s = scale * q @ k.T
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    m = s.max(dim=1).values
    p = torch.exp(s - m.masked_fill(m == float("-inf"), 0)[:, None])
    l = p.sum(dim=1)
    o = (p @ v) / l.masked_fill(l == 0, 1)[:, None]
    return o, m, l
