# Masks the raw products with -inf and scales them afterwards: +inf for a negative scale, NaN for 0, as soon as there is a mask.
import torch


def recompute_probabilities(q, k, L, mask=None, scale=None):
    raw = q @ k.mT
    if mask is not None:
        raw = raw.masked_fill(~mask, -torch.inf)
    s = raw * (q.shape[-1] ** -0.5 if scale is None else scale)
    p = torch.exp(s - L.nan_to_num(neginf=0.0)[:, None])
    if mask is not None:
        p[~mask.any(dim=1)] = 0
    return p
