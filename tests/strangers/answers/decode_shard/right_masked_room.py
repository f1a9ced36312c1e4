# all of the room at once, what lies behind the keys set to zero and masked; a maximum of its own
import torch


def decode_shard(q, k, v, lengths, scale=None):
    B, H, d = q.shape
    G, N, dv = k.shape[1], k.shape[2], v.shape[3]
    if N == 0:
        return torch.zeros(B, H, dv), torch.full((B, H), float("-inf"))
    c = 1 / d**0.5 if scale is None else scale
    there = torch.arange(N)[None] < lengths[:, None]
    k32 = torch.where(there[:, None, :, None], k.float(), 0)
    v32 = torch.where(there[:, None, :, None], v.float(), 0)
    s = torch.einsum("bgrd,bgnd->bgrn", q.float().reshape(B, G, H // G, d), k32) * c
    s = s.masked_fill(~there[:, None, None], float("-inf"))
    m = s.amax(-1, keepdim=True)
    m = torch.where(m == float("-inf"), torch.zeros_like(m), m)
    p = torch.exp(s - m)
    l = p.sum(-1)
    o = torch.einsum("bgrn,bgnd->bgrd", p, v32) / l.clamp(min=1e-38)[..., None]
    return o.reshape(B, H, dv), (m[..., 0] + l.log()).reshape(B, H)
