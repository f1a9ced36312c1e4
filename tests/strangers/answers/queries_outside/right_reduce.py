# Right: a fold over the tiles of keys with functools.reduce, the state a triple, the denominator an extra column of the accumulator.
import functools


def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        queries = hbm.load("Q", i, i + tile_m)

        def absorb(state, j):
            acc, m = state  # acc[:, -1] is l
            keys = hbm.load("K", j, j + tile_n)
            values = hbm.load("V", j, j + tile_n)
            ones = values.new_ones(len(values), 1)
            s = (queries @ keys.T) * scale
            top = torch.maximum(m, s.amax(dim=1, keepdim=True))
            added = (s - top).exp() @ torch.cat([values, ones], dim=1)
            return acc * (m - top).exp() + added, top

        start = queries.new_zeros(len(queries), d_v + 1), queries.new_full((len(queries), 1), -torch.inf)
        acc, m = functools.reduce(absorb, range(0, n_k, tile_n), start)
        hbm.store("O", i, acc[:, :d_v] / acc[:, d_v:])
        hbm.store("L", i, m[:, 0] + acc[:, d_v].log())
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
