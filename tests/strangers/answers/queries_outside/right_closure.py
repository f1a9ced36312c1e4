# Right: closures and nonlocal, the inner loop as a function over a generator of tiles.
import torch


def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v

    def key_tiles():
        for j in range(0, n_k, tile_n):
            yield hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)

    def one_tile(first):
        queries = hbm.load("Q", first, first + tile_m)
        m = torch.full((len(queries),), -torch.inf)
        l, acc = torch.zeros(len(queries)), torch.zeros(len(queries), d_v)

        def absorb(keys, values):
            nonlocal m, l, acc
            s = (queries @ keys.T) * scale
            m, old = torch.maximum(m, s.amax(dim=-1)), m
            p, a = torch.exp(s - m[:, None]), torch.exp(old - m)
            l = l * a + p.sum(dim=-1)
            acc = acc * a[:, None] + p @ values

        for keys, values in key_tiles():
            absorb(keys, values)
        hbm.store("O", first, acc / l[:, None])
        hbm.store("L", first, m + torch.log(l))

    for first in range(0, n_q, tile_m):
        one_tile(first)
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
