# Right: itertools.chain of (tile, masked) pairs, first the whole tiles and then the cut ones.
from itertools import chain, repeat

import torch


def causal_queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        stop = min(i + tile_m, n_q)
        full, seen = visible_tiles(i, stop, n_q, n_k, tile_n)
        queries = hbm.load("Q", i, stop)
        m = torch.full((stop - i, 1), -torch.inf)
        l = torch.zeros(stop - i, 1)
        acc = torch.zeros(stop - i, d_v)
        last = torch.arange(i, stop).unsqueeze(1) + (n_k - n_q)
        plan = chain(zip(range(full), repeat(False)), zip(range(full, seen), repeat(True)))
        for tile, masked in plan:
            begin, end = tile * tile_n, min((tile + 1) * tile_n, n_k)
            keys, values = hbm.load("K", begin, end), hbm.load("V", begin, end)
            s = torch.mm(queries, keys.t()).mul_(scale)
            if masked:
                s.masked_fill_(torch.arange(begin, end) > last, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=1, keepdim=True))
            base = m_new.masked_fill(m_new == -torch.inf, 0.0)
            p, a = torch.exp(s - base), torch.exp(m - base)
            l = torch.addcmul(p.sum(dim=1, keepdim=True), a, l)
            acc = torch.addmm(a * acc, p, values)
            m = m_new
        hbm.store("O", i, acc / l.masked_fill(l == 0, 1.0))
        hbm.store("L", i, (m + l.log()).squeeze(1))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
