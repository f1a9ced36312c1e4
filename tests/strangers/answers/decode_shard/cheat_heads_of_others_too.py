# cheat: every query head meets the keys of every KV head, and a mask keeps the scores of its own
import torch


def decode_shard(q, k, v, lengths, scale=None):
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    scale = d**-0.5 if scale is None else scale
    own = torch.arange(heads) // (heads // kv_heads)
    o, L = torch.zeros(batch, heads, d_v), torch.full((batch, heads), -torch.inf)
    for b, n in enumerate(lengths.tolist()):
        if n == 0:
            continue
        rows, s = q[b].float(), torch.zeros(heads, n)
        for kv in range(kv_heads):
            s = torch.where((own == kv)[:, None], scale * (rows @ k[b, kv, :n].float().T), s)
        L[b] = torch.logsumexp(s, dim=-1)
        p = torch.exp(s - L[b][:, None])
        for kv in range(kv_heads):
            o[b] = torch.where((own == kv)[:, None], p @ v[b, kv, :n].float(), o[b])
    return o, L
