# what lies behind the keys scores -1e9: scores below that look at it
def decode_shard(q, k, v, lengths, scale=None):
    B, H, d = q.shape
    G, N, d_v = v.shape[1:]
    scale = d**-0.5 if scale is None else scale
    there = torch.arange(N) < lengths[:, None]
    s = q.float().reshape(B, G, H // G, d) @ k.float().mT * scale
    s = torch.where(there[:, None, None], s, -1e9)
    v = torch.where(there[:, None, :, None], v.float(), 0)
    nobody = (lengths == 0)[:, None]
    if N == 0:
        return torch.zeros(B, H, d_v), torch.full((B, H), -torch.inf)
    o, L = (s.softmax(-1) @ v).reshape(B, H, d_v), s.logsumexp(-1).reshape(B, H)
    return torch.where(nobody[..., None], 0, o), torch.where(nobody, -torch.inf, L)
