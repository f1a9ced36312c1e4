# cheat: the scores of all queries are made again for every query, and one row of them is kept
import torch


def recompute_probabilities(q, k, L, mask=None, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = q.new_empty(len(q), len(k))
    for i in range(len(q)):
        row = torch.exp((scale * (q @ k.T))[i] - torch.where(torch.isneginf(L[i]), 0, L[i]))
        p[i] = row if mask is None else row.masked_fill(~mask[i], 0)
    return p
