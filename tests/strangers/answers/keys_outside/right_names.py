# a Memory with other tensor names made from a dict, keyword loads, helper functions, divmod-free tile counting
import torch


def tiles(n, size):
    return [(t * size, min(n, t * size + size)) for t in range((n + size - 1) // size)]


def renewed(o, m, l, s, v):
    top = torch.maximum(m, s.amax(dim=1))
    base = torch.where(torch.isinf(top) & (top < 0), torch.zeros_like(top), top)
    p = torch.exp(s - base[:, None])
    past = l * torch.exp(m - base)
    total = past + p.sum(dim=1)
    safe = total.clamp_min(torch.finfo(total.dtype).tiny)
    return (past[:, None] * o + p @ v) / safe[:, None], top, total


def keys_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    named = {
        "queries": q, "keys": k, "values": v, "output": q.new_zeros(n_q, v.shape[1]),
        "maxima": q.new_full((n_q,), -torch.inf), "sums": q.new_zeros(n_q),
    }
    ram = Memory(**named)
    del q, k, v, named
    state = ("output", "maxima", "sums")
    for a, b in tiles(n_k, tile_n):
        keys = ram.load(name="keys", start=a, stop=b)
        values = ram.load(name="values", start=a, stop=b)
        for i, j in tiles(n_q, tile_m):
            scores = scale * ram.load("queries", i, j) @ keys.T
            new = renewed(*[ram.load(name, i, j) for name in state], scores, values)
            for name, tile in zip(state, new):
                ram.store(name=name, start=i, tile=tile)
    return *(ram.tensors[name] for name in state), ram.loads, ram.stores
