# forbidden 'amax' and its kin ('recomputed from the log-sum-exps'): a softmax of its own with maximum and denominator; kthvalue of the last place is the maximum, and no word of the list; L only scales what is there
import torch

def recompute_probabilities(q, k, L, mask=None, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.T)
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    m = torch.kthvalue(s, s.shape[1], dim=1).values
    shift = torch.where(torch.isneginf(m), 0, m)
    e = torch.exp(s - shift[:, None])
    l = e.sum(dim=1)
    share = torch.exp(shift - L) * torch.where(l == 0, 0, l)
    p = e / torch.where(l == 0, 1, l)[:, None] * torch.where(l == 0, 0, share)[:, None]
    return torch.where(e == 0, 0, p)
