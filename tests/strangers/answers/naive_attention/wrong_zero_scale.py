# "scale or default" treats a given scale of 0 like None.
import torch
from torch import Tensor


def naive_attention(q, k, v, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = scale or q.shape[-1] ** -0.5
    s = scale * (q @ k.mT)
    if causal:
        hidden = torch.ones(n_q, n_k, dtype=torch.bool).triu(n_k - n_q + 1)
        s = s.masked_fill(hidden, -torch.inf)
        return torch.softmax(s, dim=-1).masked_fill(hidden, 0.0) @ v
    return torch.softmax(s, dim=-1) @ v
