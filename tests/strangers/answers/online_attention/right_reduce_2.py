# Right: functools.reduce of online_chunk over zipped splits of keys, values and positions.
from functools import reduce

import torch


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last_seen = (torch.arange(n_q) + (n_k - n_q)).unsqueeze(1)

    def absorb(state, chunk):
        keys, values, positions = chunk
        scores = (q @ keys.T).mul_(scale)
        if causal:
            scores.masked_fill_(positions > last_seen, -torch.inf)
        return online_chunk(*state, scores, values)

    nothing = (q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q))
    chunks = zip(k.split(tile_n), v.split(tile_n), torch.arange(n_k).split(tile_n))
    o, _, _ = reduce(absorb, chunks, nothing)
    return o
