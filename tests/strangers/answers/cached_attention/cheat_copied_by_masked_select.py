# copies of the cache ('the cache is read where it lies'): all that it holds is copied head by head, eight slots at a time, by masked_select, whose result has fewer numbers than what it is made of, and which is not among the operators that pick
import torch

def cached_attention(q, k_cache, v_cache, length, scale=None):
    n, d = q.shape[2:]
    scale = d ** -0.5 if scale is None else scale
    o = torch.empty(*q.shape[:3], v_cache.shape[3])
    position = torch.arange(length - n, length)[:, None]
    hidden = torch.arange(length) > position
    parts = [slice(i, min(i + 8, length)) for i in range(0, length, 8)]

    def copied(x, part):
        taken = torch.zeros(length + 1, 1, dtype=torch.bool)[1:]
        taken[part] = True
        return torch.masked_select(x, taken).view(-1, x.shape[1])

    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            k, v = k_cache[b, h, :length], v_cache[b, h, :length]
            s = torch.empty(n, length)
            for part in parts:
                s[:, part] = scale * (q[b, h] @ copied(k, part).T)
            p = torch.softmax(s.masked_fill_(hidden, -torch.inf), dim=-1)
            out = torch.zeros(n, v.shape[1])
            for part in parts:
                out += p[:, part] @ copied(v, part)
            o[b, h] = out
    return o
