# Right: dist.batch_isend_irecv with P2POp as in ring-flash-attention, double buffers, merge by attend/merge of the course
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import attend, merge


def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    here = [k.contiguous(), v.contiguous()]
    right, left = (rank + 1) % size, (rank - 1) % size
    for step in range(size):
        requests, coming = [], []
        if step + 1 < size:
            n = lengths[(rank - step - 1) % size]
            coming = [x.new_empty(x.shape[0], n, x.shape[2]) for x in here]
            ops = [dist.P2POp(dist.isend, x, right) for x in here]
            ops += [dist.P2POp(dist.irecv, x, left) for x in coming]
            requests = dist.batch_isend_irecv(ops)
        if here[0].shape[1]:
            o, L = merge(o, L, *attend(q, *here))
        for request in requests:
            request.wait()
        here = coming or here
    return o, L
