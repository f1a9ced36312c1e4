# no-key-of-one: a sequence without a key is looked up as if it had one
import torch


def decode_shard(q, k, v, lengths, scale=None):
    B, H, d = q.shape
    G = k.shape[1]
    c = d**-0.5 if scale is None else scale
    o, L = torch.zeros(B, H, v.shape[3]), torch.zeros(B, H)
    for b in range(B):
        n = max(1, int(lengths[b]))
        s = c * q[b].reshape(G, H // G, d).float() @ k[b, :, :n].float().mT
        L[b] = torch.logsumexp(s, -1).view(H)
        o[b] = (torch.softmax(s, -1) @ v[b, :, :n].float()).reshape(H, -1)
    return o, L
