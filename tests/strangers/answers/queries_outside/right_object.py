# a class that owns the memory and one tile of queries; while loops; in-place accumulation with addmm_
import torch


class Worker:
    def __init__(self, hbm, scale, tile_n, n_k, d_v):
        self.hbm, self.scale, self.tile_n, self.n_k, self.d_v = hbm, scale, tile_n, n_k, d_v

    def run(self, begin, end):
        query = self.hbm.load("Q", begin, end).mul_(self.scale)
        acc = query.new_zeros(query.shape[0], self.d_v)
        m = query.new_full((query.shape[0], 1), -torch.inf)
        l = query.new_zeros(query.shape[0], 1)
        at = 0
        while at < self.n_k:
            s = query @ self.hbm.load("K", at, at + self.tile_n).T
            top = torch.maximum(m, s.amax(1, True))
            s.sub_(top).exp_()
            alpha = (m - top).exp()
            l.mul_(alpha).add_(s.sum(1, True))
            acc.mul_(alpha).addmm_(s, self.hbm.load("V", at, at + self.tile_n))
            m = top
            at += self.tile_n
        self.hbm.store("O", begin, acc.div_(l))
        self.hbm.store("L", begin, (m + l.log()).squeeze(1))


def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    (n_q, d), n_k, d_v = q.shape, len(k), v.shape[1]
    hbm = Memory(Q=q, K=k, V=v, O=torch.empty(n_q, d_v), L=torch.empty(n_q))
    worker = Worker(hbm, d**-0.5 if scale is None else scale, tile_n, n_k, d_v)
    del q, k, v
    i = 0
    while i < n_q:
        worker.run(i, i + tile_m)
        i += tile_m
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
