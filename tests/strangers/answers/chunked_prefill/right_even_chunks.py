# Shares the queries out evenly over as many chunks as are needed: none is longer than asked.
import math

import torch


def chunked_prefill(q, k, v, chunk, scale=None):
    scale = 1 / math.sqrt(q.shape[1]) if scale is None else scale
    n, m = q.shape[0], k.shape[0]
    o = q.new_empty(n, v.shape[1])
    parts = -(-n // chunk)
    for c in range(parts):
        a, b = n * c // parts, n * (c + 1) // parts
        seen = b + m - n
        s = scale * (q[a:b] @ k[:seen].T)
        mask = torch.ones(b - a, seen, dtype=torch.bool).tril(a + m - n)
        o[a:b] = torch.softmax(s.masked_fill(~mask, -torch.inf), -1) @ v[:seen]
    return o
