# memory: bits of floats as whole numbers may go through tolist; the matrix of all scores is a list of lists, which counts for nothing
import math
import struct

import torch


def floats(x):
    numbers = x.contiguous().view(torch.int32).flatten().tolist()
    return struct.unpack(f"{len(numbers)}f", struct.pack(f"{len(numbers)}i", *numbers))


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    (n_q, d), n_k, d_v = q.shape, len(k), v.shape[1]
    scale = d**-0.5 if scale is None else scale
    q, k, v = floats(q), floats(k), floats(v)
    qs = [q[i * d : i * d + d] for i in range(n_q)]
    ks = [k[i * d : i * d + d] for i in range(n_k)]
    s = [[scale * sum(a * b for a, b in zip(x, y)) if not causal or j <= i + n_k - n_q else -math.inf
          for j, y in enumerate(ks)] for i, x in enumerate(qs)]
    o = []
    for row in s:
        m = max(row)
        p = [math.exp(x - m) if x > -math.inf else 0.0 for x in row]
        l = sum(p) or 1.0
        o += [sum(a * b for a, b in zip(p, v[c::d_v])) / l for c in range(d_v)]
    return torch.tensor(o).reshape(n_q, d_v)
