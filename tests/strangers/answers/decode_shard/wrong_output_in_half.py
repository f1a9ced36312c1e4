# half: the results are in the dtype of q
import torch


def decode_shard(q, k, v, lengths, scale=None):
    B, H, d = q.shape
    G = k.shape[1]
    c = d**-0.5 if scale is None else scale
    o, L = q.new_zeros(B, H, v.shape[3]), q.new_full((B, H), -torch.inf)
    for b in range(B):
        n = lengths[b]
        s = c * q[b].view(G, H // G, d).float() @ k[b, :, :n].float().mT
        L[b] = torch.logsumexp(s, -1).view(H).to(q.dtype)
        o[b] = (torch.softmax(s, -1) @ v[b, :, :n].float()).reshape(H, -1).to(q.dtype)
    return o, L
