# memory budget: k and v are copied for every head, into a buffer that is the default of a parameter
import torch


def grouped_attention(q, k, v, causal=False, scale=None, pool=torch.empty(1 << 22)):
    (b, heads, n_q, d), kv_heads, n_k = q.shape, k.shape[1], k.shape[2]
    scale = d**-0.5 if scale is None else scale
    size = b * heads * n_k * d
    copies = []
    for i, x in enumerate((k, v)):
        copy = pool[i * size : (i + 1) * size].view(b, kv_heads, heads // kv_heads, n_k, d)
        copy.copy_(x[:, :, None].expand_as(copy))
        copies.append(copy.view(b, heads, n_k, d))
    k, v = copies
    s = scale * (q @ k.transpose(2, 3))
    if causal:
        s = s.masked_fill(torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q, -torch.inf)
    return torch.nan_to_num(torch.softmax(s, dim=-1)) @ v
