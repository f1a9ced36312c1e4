# 'the cache is read where it lies': all of it is copied, by the maximum over an axis along which two equal numbers lie, head by head
import torch


def cached_attention(q, k_cache, v_cache, length, scale=None):
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    o = torch.empty(*q.shape[:3], v_cache.shape[3])
    position = torch.arange(length - n, length)[:, None]
    for h in range(q.shape[1]):
        s = torch.empty(len(q), n, length)
        for i in range(0, length, 2):
            k = k_cache[:, h, i : min(i + 2, length), :, None].expand(-1, -1, -1, 2).amax(-1)
            s[:, :, i : i + 2] = scale * (q[:, h] @ k.transpose(1, 2))
        s = s.masked_fill(torch.arange(length) > position, -torch.inf)
        p = torch.softmax(s, dim=-1)
        o[:, h] = 0
        for i in range(0, length, 2):
            v = v_cache[:, h, i : min(i + 2, length), :, None].expand(-1, -1, -1, 2).amax(-1)
            o[:, h] += p[:, :, i : i + 2] @ v
    return o
