# Wrong: the scale is folded into both sides as the root of its size, so that its sign is lost.
# Breaks: "scale: factor of the scores, any number, 1/sqrt(d) if None."
import math

import torch


def attention_gradients(q, k, v, o, L, do, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    root = abs(scale) ** 0.5
    q, k = q * root, k * root
    s = q @ k.T
    if causal:
        s = s.masked_fill(~torch.ones(n_q, n_k, dtype=torch.bool).tril(n_k - n_q), -torch.inf)
    p = torch.exp(s - L.masked_fill(torch.isneginf(L), 0)[:, None])
    ds = p * (do @ v.T - (do * o).sum(dim=1, keepdim=True))
    return root * ds @ k, root * ds.T @ q, p.T @ do
