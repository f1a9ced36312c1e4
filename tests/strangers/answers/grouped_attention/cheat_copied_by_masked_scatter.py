# copied and memory ("nothing of the size of k and v"): masked_scatter takes as many numbers of its source as the mask has places, and what is made of others too counts only if it is as large as its source, which is all that is left of k or v: they are copied for every query head, 8 keys at a time
import torch


def grouped_attention(q, k, v, causal=False, scale=None):
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    query, key = torch.arange(n_q)[:, None], torch.arange(n_k)
    for b in range(q.shape[0]):
        for h in range(heads):
            keys, values = k[b, h // (heads // kv_heads)], v[b, h // (heads // kv_heads)]
            nothing = q[b, h, :1].mul(0)

            def copied(x, j):
                if j + 8 >= n_k:
                    return x[j:]
                return nothing.expand(8, x.shape[1]).masked_scatter(torch.ones(8, 1, dtype=torch.bool), x[j:])

            s = torch.empty(n_q, n_k)
            for j in range(0, n_k, 8):
                s[:, j : j + 8] = q[b, h] @ copied(keys, j).T
            s *= scale
            if causal:
                s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
            p = torch.softmax(s, dim=-1)
            p = p.masked_fill(torch.isneginf(s), 0)
            o[b, h] = 0
            for j in range(0, n_k, 8):
                o[b, h] += p[:, j : j + 8] @ copied(values, j)
    return o
