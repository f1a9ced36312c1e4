# The causal mask is aligned at the top left, so it is right only for as many queries as keys.
import torch
from torch import Tensor


def naive_attention(q, k, v, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.mT)
    if causal:
        s = s.masked_fill(~torch.ones(n_q, n_k, dtype=torch.bool).tril(), -torch.inf)
    return torch.softmax(s, dim=-1) @ v
