# right: a class that absorbs tiles; the denominator is the last column of the accumulator, so that one factor rescales both
class _Rows:
    def __init__(self, queries, d_v, scale):
        self.queries, self.scale = queries, scale
        self.sums = queries.new_zeros(len(queries), d_v + 1)
        self.top = queries.new_full((len(queries), 1), -torch.inf)

    def absorb(self, keys, values):
        S = torch.mm(self.queries, keys.T).mul_(self.scale)
        top = torch.maximum(self.top, S.amax(dim=1, keepdim=True))
        self.sums.mul_(torch.exp(self.top - top))
        S.sub_(top).exp_()
        self.sums[:, :-1].addmm_(S, values)
        self.sums[:, -1:].add_(S.sum(dim=1, keepdim=True))
        self.top = top

    def finish(self):
        l = self.sums[:, -1:]
        return self.sums[:, :-1] / l, (self.top + torch.log(l)).flatten()


def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        rows = _Rows(hbm.load("Q", i, i + tile_m), d_v, scale)
        for j in range(0, n_k, tile_n):
            rows.absorb(hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n))
        for name, tile in zip("OL", rows.finish()):
            hbm.store(name, i, tile)
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
