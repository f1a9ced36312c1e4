# 'In step s the rank works on the block of rank (rank - s) mod W': half of its own keys are kept and met in the last step
import torch
import torch.distributed as dist
from torch import Tensor
from kernels.ring import attend, block_gradients, merge, pass_on


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    rank, size = (dist.get_rank(), dist.get_world_size())
    o, L = (q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf))
    k, v = (k.contiguous(), v.contiguous())
    half = k.shape[1] // 2 if size > 1 else k.shape[1]
    late = k[:, half:].clone(), v[:, half:].clone()
    for step in range(size):
        requests: list[dist.Work] = []
        if step < size - 1:
            coming = lengths[(rank - step - 1) % size]
            next_k = k.new_empty(k.shape[0], coming, k.shape[2])
            next_v = v.new_empty(v.shape[0], coming, v.shape[2])
            asked = [dist.P2POp(dist.isend, k, (rank + 1) % size), dist.P2POp(dist.isend, v, (rank + 1) % size), dist.P2POp(dist.irecv, next_k, (rank - 1) % size), dist.P2POp(dist.irecv, next_v, (rank - 1) % size)]
            requests = dist.batch_isend_irecv(asked)
        if step == 0:
            o, L = merge(o, L, *attend(q, k[:, :half], v[:, :half]))
        else:
            o, L = merge(o, L, *attend(q, k, v))
        if step == size - 1 and size > 1:
            o, L = merge(o, L, *attend(q, *late))
        for request in requests:
            request.wait()
        if requests:
            k, v = (next_k, next_v)
    return (o, L)
