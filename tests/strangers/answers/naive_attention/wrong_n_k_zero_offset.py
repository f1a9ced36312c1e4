# Wrong: queries without keys are found by their number being below n_q - n_k - 1, so that one of them is left NaN.
# Breaks: "A query that sees none gives zeros."
import torch


def naive_attention(q, k, v, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * q @ k.mT
    if causal:
        i, j = torch.arange(n_q)[:, None], torch.arange(n_k)
        s = s.masked_fill(j > i + n_k - n_q, float("-inf"))
    o = torch.softmax(s, dim=-1) @ v
    if causal and n_q > n_k:
        o[:, : n_q - n_k - 1] = 0
    return o
