# grouped: the KV heads are tiled instead of repeated, so query head h reads KV head h mod H_kv
import torch


def decode_shard(q, k, v, lengths, scale=None):
    B, H, d = q.shape
    c = d**-0.5 if scale is None else scale
    o, L = torch.zeros(B, H, v.shape[3]), torch.full((B, H), -torch.inf)
    for b in range(B):
        n = int(lengths[b])
        for h in range(H):
            if n:
                s = c * k[b, h % k.shape[1], :n].float() @ q[b, h].float()
                L[b, h] = torch.logsumexp(s, -1)
                o[b, h] = torch.softmax(s, -1) @ v[b, h % k.shape[1], :n].float()
    return o, L
