# keeps the output divided on the way, a contextmanager-free class with one method per line of the algorithm
class _OnChip:
    """What stays on the chip for one tile of queries."""

    def __init__(self, q: Tensor, d_v: int, scale: float):
        self.q, self.scale = q, scale
        self.o = q.new_zeros(len(q), d_v)
        self.m = q.new_full((len(q), 1), -torch.inf)
        self.l = q.new_zeros(len(q), 1)

    def meet(self, k: Tensor, v: Tensor) -> None:
        s = self.q.matmul(k.t()).mul_(self.scale)
        m = torch.maximum(self.m, s.max(dim=1, keepdim=True).values)
        p = torch.exp(s - m)
        kept = self.l * torch.exp(self.m - m)
        l = kept + p.sum(dim=1, keepdim=True)
        self.o = kept / l * self.o + p.matmul(v) / l
        self.m, self.l = m, l

    @property
    def log_sum(self) -> Tensor:
        return (self.m + self.l.log()).squeeze(1)


def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        chip = _OnChip(hbm.load("Q", i, i + tile_m), d_v, scale)
        for j in range(0, n_k, tile_n):
            chip.meet(hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n))
        hbm.store("O", i, chip.o)
        hbm.store("L", i, chip.log_sum)
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
