# an online softmax over tiles of 16 keys, maximum and denominator carried along, as a kernel would do it
import torch


def decode_shard(q, k, v, lengths, scale=None):
    b_size, heads, d = q.shape
    kv = k.shape[1]
    scale = d ** (-1 / 2) if scale is None else float(scale)
    o = torch.zeros((b_size, heads, v.shape[-1]), dtype=torch.float32)
    L = torch.full((b_size, heads), -torch.inf, dtype=torch.float32)
    for b in range(b_size):
        n = lengths[b].item()
        rows = q[b].to(torch.float32).reshape(kv, heads // kv, d) * scale
        m = torch.full((kv, heads // kv, 1), -torch.inf)
        l = torch.zeros_like(m)
        acc = torch.zeros(kv, heads // kv, v.shape[-1])
        for start in range(0, n, 16):
            stop = min(start + 16, n)
            s = rows @ k[b, :, start:stop].to(torch.float32).transpose(-1, -2)
            new = torch.maximum(m, s.max(-1, keepdim=True).values)
            a, p = torch.exp(m - new), torch.exp(s - new)
            l = a * l + p.sum(-1, keepdim=True)
            acc = a * acc + p @ v[b, :, start:stop].to(torch.float32)
            m = new
        if n:
            o[b] = (acc / l).reshape(heads, -1)
            L[b] = (m + torch.log(l)).reshape(heads)
    return o, L
