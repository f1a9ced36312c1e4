# Every rank's thread is an object that all see: blocks become its attributes.
import threading

import torch.distributed as dist
from kernels.ring import attend, merge
from torch import Tensor


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    me = threading.current_thread()
    me.rank_of_ring, me.block = rank, (k, v)
    dist.barrier()
    held = {t.rank_of_ring: t.block for t in threading.enumerate() if hasattr(t, "block")}
    o, L = attend(q, k, v)
    for step in range(1, size):
        o, L = merge(o, L, *attend(q, *held[(rank - step) % size]))
    dist.barrier()
    return o, L
