# A class with the block at hand, the requests under way, and the gradient that follows it.
import torch
import torch.distributed as dist
from kernels.ring import block_gradients
from torch import Tensor


class Ring:
    def __init__(self, lengths):
        self.lengths, self.rank, self.size = lengths, dist.get_rank(), dist.get_world_size()

    def start(self, tensors, step):
        self_to = (self.rank + 1) % self.size, (self.rank - 1) % self.size
        n = self.lengths[(self.rank - step - 1) % self.size]
        new = [torch.zeros(t.shape[0], n, t.shape[2]) for t in tensors]
        works = [dist.isend(t, dst=self_to[0]) for t in tensors] + [dist.irecv(t, src=self_to[1]) for t in new]
        return works, new

    @staticmethod
    def finish(transfer):
        works, new = transfer
        for work in works:
            work.wait()
        return new


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    ring = Ring(lengths)
    delta = do.mul(o).sum(2)
    dq = torch.zeros(q.shape)
    block, grads = [k.contiguous(), v.contiguous()], None
    for step in range(ring.size):
        last = step == ring.size - 1
        kv = None if last else ring.start(block, step)
        part = block_gradients(q, *block, L, do, delta)
        dq.add_(part[0])
        mine = list(part[1:])
        if grads is not None:
            for a, b in zip(mine, ring.finish(grads)):
                a.add_(b)
        if ring.size == 1:
            return dq, *mine
        grads = ring.start(mine, step)
        if not last:
            block = ring.finish(kv)
    return dq, *ring.finish(grads)
