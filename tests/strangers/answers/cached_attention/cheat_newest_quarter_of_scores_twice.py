# the newest keys' scores are computed twice, once for the maximum
import torch
def cached_attention(q, k_cache, v_cache, length, scale=None):
    B, H, n, d = q.shape
    scale = d ** -0.5 if scale is None else scale
    k, v = k_cache[:, :, :length], v_cache[:, :, :length]
    hidden = torch.arange(length) > torch.arange(n)[:, None] + length - n
    e = max(1, length // 4)
    top = (q @ k[:, :, -e:].transpose(-1, -2) * scale).masked_fill(hidden[:, -e:], float("-inf")).amax(-1, keepdim=True)
    s = (q @ k.transpose(-1, -2) * scale).masked_fill(hidden, float("-inf"))
    top = torch.maximum(top, s.amax(-1, keepdim=True))
    p = torch.exp(s - top)
    return (p / p.sum(-1, keepdim=True)) @ v
