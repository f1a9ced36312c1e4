# Two buffers, but the parity is taken so that each block is received into the buffer that is being sent.
import torch
import torch.distributed as dist
from kernels.ring import attend, merge
from torch import Tensor


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    longest = max(lengths)
    bufs = [q.new_empty(k.shape[0] * longest * (k.shape[2] + v.shape[2])) for _ in range(2)]

    def view(i, n):
        a = k.shape[0] * n * k.shape[2]
        b = k.shape[0] * n * v.shape[2]
        return bufs[i][:a].view(-1, n, k.shape[2]), bufs[i][a : a + b].view(-1, n, v.shape[2])

    block = view(0, lengths[rank])
    block[0].copy_(k)
    block[1].copy_(v)
    for step in range(size):
        requests = []
        if step < size - 1:
            coming = view((step // 2 + 1) % 2, lengths[(rank - step - 1) % size])
            for x, y in zip(block, coming):
                requests += [dist.isend(x, (rank + 1) % size), dist.irecv(y, (rank - 1) % size)]
        o, L = merge(o, L, *attend(q, *block))
        for request in requests:
            request.wait()
        if requests:
            block = coming
    return o, L
