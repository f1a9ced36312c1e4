# delta is the diagonal of do o^T, which is made whole: every query meets every other.
import torch


def attention_gradients(q, k, v, o, L, do, causal=False, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    n, N = len(q), len(k)
    s = scale * (q @ k.T) - torch.where(L == -torch.inf, torch.zeros_like(L), L)[:, None]
    if causal:
        s = s.masked_fill(torch.arange(N) > torch.arange(n)[:, None] + N - n, -torch.inf)
    p = torch.exp(s)
    delta = torch.diagonal(do @ o.T)
    ds = p * (do @ v.T - delta[:, None])
    return scale * ds @ k, scale * ds.T @ q, p.T @ do
