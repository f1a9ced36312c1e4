# memory budget: all is done in numpy, through np.from_dlpack
import numpy as np
import torch


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    q, k, v = np.from_dlpack(q), np.from_dlpack(k), np.from_dlpack(v)
    s = np.float32(scale) * (q @ k.T)
    if causal:
        s[np.triu(np.ones((n_q, n_k), bool), n_k - n_q + 1)] = -np.inf
    m = s.max(axis=1, keepdims=True)
    p = np.exp(s - np.where(np.isneginf(m), 0, m))
    l = p.sum(axis=1, keepdims=True)
    return torch.from_numpy(p @ v / np.where(l == 0, 1, l))
