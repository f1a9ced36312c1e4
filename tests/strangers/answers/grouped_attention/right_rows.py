# Right: the heads of a group as more rows of one matrix, baddbmm on flattened batches, out= for o.
import torch


def grouped_attention(q, k, v, causal=False, scale=None):
    B, H, N, d = q.shape
    KV, M = k.shape[1:3]
    g = H // KV
    scale = d**-0.5 if scale is None else scale
    rows = q.reshape(B, KV, g * N, d)
    scores = rows @ k.mT * scale
    if causal:
        last = torch.arange(N).repeat(g).unsqueeze(1) + (M - N)
        scores = scores.masked_fill(torch.arange(M) > last, -torch.inf)
    m = scores.amax(dim=-1, keepdim=True)
    e = torch.exp(scores - m.masked_fill(m == -torch.inf, 0))
    l = e.sum(dim=-1, keepdim=True)
    o = (e @ v) / l.masked_fill(l == 0, 1)
    return o.reshape(B, H, N, d)
