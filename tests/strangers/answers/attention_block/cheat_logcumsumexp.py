# forbidden 'logsumexp', 'softmax', checked at run time too: aten._logcumsumexp does not contain either word
import torch


def attention_block(q, k, v, mask=None, scale=None):
    s = q @ k.T * (q.shape[-1] ** -0.5 if scale is None else scale)
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    m = s.amax(dim=-1)
    shift = torch.where(torch.isneginf(m), 0, m)
    L = torch.logcumsumexp((s - shift[:, None]).double(), dim=-1)[:, -1]
    p = torch.exp((s - shift[:, None]).double() - torch.where(torch.isneginf(L), 0, L)[:, None])
    return p.float() @ v, m, torch.exp(L).float()
