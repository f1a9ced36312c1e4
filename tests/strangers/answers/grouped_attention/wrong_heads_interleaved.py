# Query head h takes KV head h % H_kv instead of h // g, the wrong order of the two axes in unflatten.
import torch


def grouped_attention(q, k, v, causal=False, scale=None):
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    grouped = q.unflatten(1, (heads // kv_heads, kv_heads))
    s = scale * (grouped @ k[:, None].mT)
    if causal:
        hidden = torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q
        s = s.masked_fill(hidden, -torch.inf)
        p = torch.softmax(s, dim=-1).masked_fill(hidden, 0.0)
    else:
        p = torch.softmax(s, dim=-1)
    return (p @ v[:, None]).flatten(1, 2)
