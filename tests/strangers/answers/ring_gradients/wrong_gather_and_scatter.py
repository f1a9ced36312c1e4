# Gathers all keys and values, computes all gradients, and reduce-scatters them by all_reduce and a slice.
import torch
import torch.distributed as dist
from kernels.ring import block_gradients
from torch import Tensor


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    delta = (do * o).sum(-1)
    every = []
    for x in (k, v):
        parts = [x.new_empty(x.shape[0], n, x.shape[2]) for n in lengths]
        dist.all_gather(parts, x.contiguous())
        every.append(torch.cat(parts, 1))
    dq, dk, dv = block_gradients(q, *every, L, do, delta)
    dk, dv = dk.contiguous(), dv.contiguous()
    dist.all_reduce(dk)
    dist.all_reduce(dv)
    start = sum(lengths[:rank])
    return dq, dk[:, start : start + lengths[rank]].clone(), dv[:, start : start + lengths[rank]].clone()
