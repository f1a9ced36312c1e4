# copies of k and v ('which are not copied'): both are copied for every query head, 64 rows at a time, by pads of a negative number of rows on either side: what has fewer numbers than what it is made of is no copy for the meter, and a pad is none of the operators that pick
import torch
import torch.nn.functional as F

def grouped_attention(q, k, v, causal=False, scale=None):
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    query, key = torch.arange(n_q)[:, None], torch.arange(n_k)
    parts = [(i, min(i + 8, n_k)) for i in range(0, n_k, 8)]
    for b in range(q.shape[0]):
        for h in range(heads):
            keys, values = k[b, h // (heads // kv_heads)], v[b, h // (heads // kv_heads)]
            s = torch.empty(n_q, n_k)
            for i, j in parts:
                s[:, i:j] = scale * (q[b, h] @ F.pad(keys, (0, 0, -i, j - n_k)).T)
            if causal:
                s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
            p = torch.softmax(s, dim=-1).masked_fill(torch.isneginf(s), 0)
            out = torch.zeros(n_q, v.shape[3])
            for i, j in parts:
                out += p[:, i:j] @ F.pad(values, (0, 0, -i, j - n_k))
            o[b, h] = out
    return o
