# Wrong: the mask is multiplied in after the exponential, and infinity times 0 is NaN where a hidden score is large or L is -inf.
# Breaks: "P_ij = exp(scale * q_i k_j^T - L_i), 0 where masked"; a query that sees no key "gets zeros".
import torch


def recompute_probabilities(q, k, L, mask=None, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.exp(scale * (q @ k.T) - L[:, None])
    return p if mask is None else p * mask
