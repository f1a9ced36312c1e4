# Wrong: hides keys by adding -10000 as BERT does, which a score difference of 10000 makes up for.
# Breaks: "S = scale * q k^T, -inf where masked".
import torch


def attention_block(q, k, v, mask=None, scale=None):
    if scale is None:
        scale = q.shape[-1] ** -0.5
    s = (q @ k.T) * scale
    if mask is not None:
        s = s + (1.0 - mask.to(s.dtype)) * -10000.0
    m = s.amax(dim=1)
    p = torch.exp(s - m[:, None])
    l = p.sum(dim=1)
    o = p @ v / l[:, None]
    if mask is not None:
        none = ~mask.any(dim=1)
        o = o.masked_fill(none[:, None], 0)
        m, l = m.masked_fill(none, -torch.inf), l.masked_fill(none, 0)
    return o, m, l
