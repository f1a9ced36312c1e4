# forbidden 'logsumexp' at run time: cross entropy gives the log-sum-exp
import torch
import torch.nn.functional as F


def attention_block(q, k, v, mask=None, scale=None):
    s = q @ k.T * (q.shape[-1] ** -0.5 if scale is None else scale)
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    m = s.amax(dim=-1)
    shift = torch.where(torch.isneginf(m), 0, m)
    L = F.cross_entropy(s - shift[:, None], s.argmax(dim=-1), reduction="none")
    l = torch.where(torch.isneginf(m), 0, torch.exp(L))
    return torch.exp(s - shift[:, None]) @ v / torch.where(l == 0, 1, l)[:, None], m, l
