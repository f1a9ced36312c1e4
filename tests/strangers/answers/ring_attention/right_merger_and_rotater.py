# In the style of PyTorch's context parallelism: a rotater that exchanges one flat buffer, and a merger with steps and results.
import torch
import torch.distributed as dist
from kernels.ring import attend
from torch import Tensor


class Rotater:
    def __init__(self, lengths):
        self.lengths = lengths
        self.rank, self.size = dist.get_rank(), dist.get_world_size()
        self.turn = 0

    def exchange_buffers(self, k, v):
        self.turn += 1
        n = self.lengths[(self.rank - self.turn) % self.size]
        self.shapes = [(k.shape[0], n, k.shape[2]), (v.shape[0], n, v.shape[2])]
        self.out = torch.cat([k.reshape(-1), v.reshape(-1)])
        self.buffer = self.out.new_empty(n * (k.shape[0] * k.shape[2] + v.shape[0] * v.shape[2]))
        self.work = [
            dist.isend(self.out, (self.rank + 1) % self.size),
            dist.irecv(self.buffer, (self.rank - 1) % self.size),
        ]

    def next_buffer(self):
        for work in self.work:
            work.wait()
        (a, n, d), shape = self.shapes
        return self.buffer[: a * n * d].view(a, n, d), self.buffer[a * n * d :].view(shape)


class Merger:
    def __init__(self):
        self.out = self.lse = None

    def step(self, out, lse):
        if self.out is None:
            self.out, self.lse = out, lse
        else:
            both = torch.logaddexp(self.lse, lse)
            self.out = self.out * (self.lse - both).exp().unsqueeze(-1) + out * (lse - both).exp().unsqueeze(-1)
            self.lse = both

    def results(self):
        return self.out, self.lse


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    rotater, merger = Rotater(lengths), Merger()
    for i in range(rotater.size):
        if i > 0:
            k, v = rotater.next_buffer()
        if i < rotater.size - 1:
            rotater.exchange_buffers(k, v)
        merger.step(*attend(q, k, v))
    return merger.results()
