# A class for a chunk of queries that meets chunks of keys; blocks are received into two buffers in turn.
import torch
import torch.distributed as dist
from kernels.ring import attend, merge
from torch import Tensor


class Queries:
    def __init__(self, x, where, width):
        self.x, self.where = x, where
        self.o = x.new_zeros(*x.shape[:2], width)
        self.L = x.new_full(x.shape[:2], -torch.inf)

    def meets(self, where):
        return bool(where.numel() and self.where.numel() and where.min() <= self.where.max())

    def meet(self, keys, values, where):
        if self.meets(where):
            seen = self.where.unsqueeze(1) >= where.unsqueeze(0)
            self.o, self.L = merge(self.o, self.L, *attend(self.x, keys, values, seen))


def causal_ring(q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    chunks = [Queries(x, p, v.shape[2]) for x, p in zip(q.tensor_split(2, 1), positions[rank].tensor_split(2))]
    longest = max(len(p) for p in positions)
    buffers = [[x.new_empty(x.shape[0] * longest * x.shape[2]) for x in (k, v)] for _ in range(min(2, size - 1))]
    block = [k.contiguous(), v.contiguous()]
    for step in range(size):
        pending = []
        source = (rank - step) % size
        if step < size - 1:
            n = len(positions[(source - 1) % size])
            coming = [
                b[: x.shape[0] * n * x.shape[2]].view(x.shape[0], n, x.shape[2])
                for b, x in zip(buffers[step % 2], (k, v))
            ]
            for there, here in zip(block, coming):
                pending.append(dist.isend(there, (rank + 1) % size))
                pending.append(dist.irecv(here, (rank - 1) % size))
        for half in zip(*(x.tensor_split(2, 1) for x in block), positions[source].tensor_split(2)):
            for chunk in chunks:
                chunk.meet(*half)
        for request in pending:
            request.wait()
        if pending:
            block = coming
    return torch.cat([c.o for c in chunks], 1), torch.cat([c.L for c in chunks], 1)
