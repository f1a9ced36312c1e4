# Scores of the first third of the keys are computed once more, for a first guess of the maximum.
import torch
def decode_shard(q, k, v, lengths, scale=None):
    B, H, d = q.shape
    kv = k.shape[1]
    scale = d ** -0.5 if scale is None else scale
    o, L = torch.zeros(B, H, v.shape[-1]), torch.full((B, H), float("-inf"))
    for b, n in enumerate(lengths.tolist()):
        if n:
            qq = q[b].float().reshape(kv, -1, d)
            guess = (qq @ k[b, :, :max(1, n // 3)].float().transpose(1, 2) * scale).amax(-1, keepdim=True)
            s = qq @ k[b, :, :n].float().transpose(1, 2) * scale
            top = torch.maximum(guess, s.amax(-1, keepdim=True))
            e = torch.exp(s - top)
            l = e.sum(-1, keepdim=True)
            L[b] = (top + l.log()).reshape(H)
            o[b] = (e / l @ v[b, :, :n].float()).reshape(H, -1)
    return o, L
