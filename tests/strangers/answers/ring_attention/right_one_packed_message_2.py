# Keys and values lie side by side in one packed block, so that one P2POp pair moves both; views for attend.
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import attend, merge


def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    d, block = k.shape[2], torch.cat((k, v), dim=2).contiguous()
    for step in range(size):
        requests, coming = [], None
        if step + 1 < size:
            coming = block.new_empty(len(k), lengths[(rank - step - 1) % size], block.shape[2])
            out = dist.P2POp(dist.isend, block, (rank + 1) % size)
            into = dist.P2POp(dist.irecv, coming, (rank - 1) % size)
            requests = dist.batch_isend_irecv([out, into])
        if block.shape[1] > 0 and q.shape[1] > 0:
            o, L = merge(o, L, *attend(q, block[..., :d], block[..., d:]))
        for request in requests:
            request.wait()
        block = coming
    return o, L
