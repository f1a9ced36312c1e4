# plain: the log-sum-exp is one of base 2, as kernels keep it
import torch


def decode_shard(q, k, v, lengths, scale=None):
    B, H, d = q.shape
    G = k.shape[1]
    c = (d**-0.5 if scale is None else scale) * 1.4426950408889634
    o, L = torch.zeros(B, H, v.shape[3]), torch.full((B, H), -torch.inf)
    for b in range(B):
        n = int(lengths[b])
        if n:
            s = c * q[b].reshape(G, H // G, d).float() @ k[b, :, :n].float().mT
            m = s.amax(-1, keepdim=True)
            p = torch.exp2(s - m)
            l = p.sum(-1, keepdim=True)
            o[b] = (p @ v[b, :, :n].float() / l).reshape(H, -1)
            L[b] = (m + torch.log2(l)).reshape(H)
    return o, L
