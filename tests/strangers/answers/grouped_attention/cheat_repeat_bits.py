# Repeats keys and values for every query head after all, a few keys at a time, so that the copies stay small.
import torch
from torch import Tensor


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    g = heads // kv_heads
    q = q * scale
    s = q.new_empty(q.shape[0], heads, n_q, n_k)
    for j in range(n_k):
        key = k[:, :, j : j + 1].repeat_interleave(g, dim=1)
        s[..., j : j + 1] = q @ key.transpose(2, 3)
    if causal:
        hidden = torch.arange(n_k) > torch.arange(n_q)[:, None] + (n_k - n_q)
        s.masked_fill_(hidden, -torch.inf)
    p = torch.softmax(s, dim=-1).nan_to_num_(0.0)
    o = torch.zeros(*q.shape[:3], v.shape[3])
    for j in range(n_k):
        value = v[:, :, j : j + 1].repeat_interleave(g, dim=1)
        o = o + p[..., j : j + 1] * value
    return o
