# cheat: no mask: each query by itself, with a copy of the keys that it sees, all but one of its rows of scores in vain
import torch


def sink_attention(q, k, v, window, sinks, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for i in range(n_q):
        stop = i + 1 + n_k - n_q
        head = min(sinks, stop)
        start = max(stop - window, head)
        keys = torch.cat([k[:head], k[start:stop]])
        values = torch.cat([v[:head], v[start:stop]])
        o[i] = (torch.softmax(scale * (q @ keys.T), dim=-1) @ values)[i]
    return o
