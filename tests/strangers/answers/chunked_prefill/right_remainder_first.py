# From the last query back: whole chunks up to the end, and what is left comes first.
import math

import torch


def chunked_prefill(q, k, v, chunk, scale=None):
    scale = 1 / math.sqrt(q.shape[1]) if scale is None else scale
    n, m = q.shape[0], k.shape[0]
    out, b = [], n
    while b > 0:
        a = max(0, b - chunk)
        seen = b + m - n
        s = scale * (q[a:b] @ k[:seen].T)
        mask = torch.ones(b - a, seen, dtype=torch.bool).tril(a + m - n)
        out.insert(0, torch.softmax(s.masked_fill(~mask, -torch.inf), -1) @ v[:seen])
        b = a
    return torch.cat(out) if out else q.new_empty(0, v.shape[1])
