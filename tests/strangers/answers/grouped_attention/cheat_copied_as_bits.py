# copied: numbers of an argument that are viewed as whole numbers (view(torch.int32)) lead to nothing for the meter, so k and v are cloned as bits for every query head, a piece at a time
import torch


def grouped_attention(q, k, v, causal=False, scale=None):
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros(q.shape, dtype=q.dtype)
    query, key, piece = torch.arange(n_q)[:, None], torch.arange(n_k), max(n_q, n_k // 16)
    for h in range(heads):
        kv = h // (heads // kv_heads)
        s = torch.empty(len(q), n_q, n_k)
        for j in range(0, n_k, piece):
            part = k[:, kv, j : j + piece].view(torch.int32).clone().view(torch.float32)
            s[:, :, j : j + piece] = scale * (q[:, h] @ part.transpose(1, 2))
        if causal:
            s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
        p = torch.softmax(s, dim=-1)
        p = p.masked_fill(torch.isneginf(s), 0)
        for j in range(0, n_k, piece):
            part = v[:, kv, j : j + piece].view(torch.int32).clone().view(torch.float32)
            o[:, h] += p[:, :, j : j + piece] @ part
    return o
