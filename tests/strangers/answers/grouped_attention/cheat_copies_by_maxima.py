# Memory, copies of arguments: k and v are copied for every query head, by the maximum over an axis along which two equal numbers lie: what goes in is longer than what comes out, which is taken for no copy
import torch


def grouped_attention(q, k, v, causal=False, scale=None):
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    query, key = torch.arange(n_q)[:, None], torch.arange(n_k)
    for h in range(heads):
        kv = h // (heads // kv_heads)
        s = torch.empty(len(q), n_q, n_k)
        for i in range(0, n_k, 16):
            mine = k[:, kv, i : i + 16, :, None].expand(-1, -1, -1, 2).amax(-1)
            s[:, :, i : i + 16] = scale * (q[:, h] @ mine.transpose(1, 2))
        if causal:
            s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
        p = torch.softmax(s, dim=-1)
        p = p.masked_fill(torch.isneginf(s), 0)
        o[:, h] = 0
        for i in range(0, n_k, 16):
            o[:, h] += p[:, :, i : i + 16] @ v[:, kv, i : i + 16, :, None].expand(-1, -1, -1, 2).amax(-1)
    return o
