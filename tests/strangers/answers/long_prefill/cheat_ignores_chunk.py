# `chunk` queries at a time: the parameter is not looked at, one query after another
import torch


def long_prefill(q, k, v, chunk, window, sinks=0, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros(n_q, v.shape[1])
    for i in range(n_q):
        at = i + n_k - n_q
        start = max(at - window + 1, 0)
        head = min(sinks, start)
        s = scale * torch.cat([k[:head] @ q[i], k[start : at + 1] @ q[i]])
        p = torch.softmax(s, dim=0)
        o[i] = p[:head] @ v[:head] + p[head:] @ v[start : at + 1]
    return o
