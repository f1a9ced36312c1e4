# `chunk` queries at a time: the parameter is not looked at, one query after another
import torch


def chunked_prefill(q, k, v, chunk, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros(n_q, v.shape[1])
    for i in range(n_q):
        seen = i + 1 + n_k - n_q
        o[i] = torch.softmax(scale * (k[:seen] @ q[i]), dim=0) @ v[:seen]
    return o
