# copied: what is made of others too counts only with as many numbers as the argument: keys and values are gathered for each query head, a few at a time, at places that are made of q (times 0)
import torch


def decode_shard(q, k, v, lengths, scale=None):
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v)
    L = torch.full((batch, heads), -torch.inf)
    scale = d**-0.5 if scale is None else scale
    group = heads // kv_heads
    for b, n in enumerate(lengths.tolist()):
        if n == 0:
            continue
        nothing = (q[b, 0, 0] * 0).to(torch.int64)
        for h in range(heads):
            s = torch.empty(n)
            for j in range(0, n, 64):
                at = torch.arange(j, min(j + 64, n)) + nothing
                s[j : j + 64] = k[b, h // group][at].float() @ q[b, h].float() * scale
            sums = torch.logsumexp(s, dim=-1)
            p = torch.exp(s - sums)
            for j in range(0, n, 64):
                at = torch.arange(j, min(j + 64, n)) + nothing
                o[b, h] += p[j : j + 64] @ v[b, h // group][at].float()
            L[b, h] = sums
    return o, L
