# The zigzag ring of ring-flash-attention from memory: first step causal, then half of the keys or half of the queries, by rank.
import torch
import torch.distributed as dist
from kernels.ring import attend, merge, pass_on
from torch import Tensor


def causal_ring(q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    block = [k.contiguous(), v.contiguous()]
    half = q.shape[1] // 2
    n = q.shape[1]
    o, L = attend(q, k, v, torch.ones(n, n, dtype=torch.bool).tril())
    for step in range(1, size):
        requests, block = pass_on(block, len(positions[(rank - step) % size]))
        for request in requests:
            request.wait()
        keys, values = block
        if step <= rank:
            o, L = merge(o, L, *attend(q, keys[:, :half], values[:, :half]))
        else:
            o2, L2 = merge(o[:, half:], L[:, half:], *attend(q[:, half:], keys, values))
            o, L = torch.cat([o[:, :half], o2], 1), torch.cat([L[:, :half], L2], 1)
    return o, L
