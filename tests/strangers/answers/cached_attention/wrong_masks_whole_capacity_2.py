# Wrong: multiplies the whole buffer and masks what lies beyond the length; a weight of 0 times an arbitrary value may be NaN.
# Breaks: "what lies beyond is arbitrary", "Memory: O(B H n (length + d_v)) numbers".
import torch


def cached_attention(q, k_cache, v_cache, length, scale=None):
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    s = scale * (q @ k_cache.mT)
    position = torch.arange(length - n, length)[:, None]
    s = s.masked_fill(torch.arange(k_cache.shape[2]) > position, -torch.inf)
    return torch.softmax(s, dim=-1) @ v_cache
