# breaks: "Each score is computed once." (once for the maximum, once more, as distances, for the weights)
import torch


def attention_block(q, k, v, mask=None, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    m = q.new_empty(len(q))
    for i in range(len(q)):
        s = (k * (scale * q[i])).sum(dim=1)
        if mask is not None:
            s = torch.where(mask[i], s, -torch.inf)
        m[i] = s.max()
    s = scale * (q @ k.T)
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    z = torch.where(m == -torch.inf, 0.0, m)
    p = torch.exp(s - z[:, None])
    l = p.sum(dim=1)
    return (p @ v) / torch.where(l == 0, 1.0, l)[:, None], m, l
