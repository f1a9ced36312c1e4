# Query head h reads KV head h mod H_kv, as torch.repeat lays them out.
import torch
import torch.distributed as dist
from kernels.ring import attend, merge, pass_on
from torch import Tensor


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    g = q.shape[0] // k.shape[0]
    block = [k.contiguous(), v.contiguous()]
    for step in range(size):
        requests, coming = [], None
        if step < size - 1:
            requests, coming = pass_on(block, lengths[(rank - step - 1) % size])
        o, L = merge(o, L, *attend(q, block[0].repeat(g, 1, 1), block[1].repeat(g, 1, 1)))
        for request in requests:
            request.wait()
        block = coming
    return o, L
