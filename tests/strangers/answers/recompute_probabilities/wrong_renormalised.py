# Wrong: renormalises each row to the sum 1, though the keys at hand need not be all keys.
# Breaks: "L: (M,), the queries' log-sum-exps over all keys", "The probabilities of some queries for some keys".
import torch


def recompute_probabilities(q, k, L, mask=None, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.T) - torch.where(torch.isneginf(L), 0.0, L)[:, None]
    if mask is not None:
        s = torch.where(mask, s, -torch.inf)
    p = torch.exp(s)
    total = p.sum(dim=1, keepdim=True)
    return p / torch.where(total > 0, total, 1.0)  # rounding errors of L cancel
