# no-key: a sequence without a key gets -1e9 in place of -inf
import torch


def decode_shard(q, k, v, lengths, scale=None):
    B, H, d = q.shape
    G = k.shape[1]
    c = d**-0.5 if scale is None else scale
    o, L = torch.zeros(B, H, v.shape[3]), torch.full((B, H), -1e9)
    for b in range(B):
        n = int(lengths[b])
        if n:
            s = c * q[b].reshape(G, H // G, d).float() @ k[b, :, :n].float().mT
            L[b] = torch.logsumexp(s, -1).view(H)
            o[b] = (torch.softmax(s, -1) @ v[b, :, :n].float()).reshape(H, -1)
    return o, L
