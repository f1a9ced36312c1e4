# The ring has four places: rank + 1 and rank - 1 are taken modulo 4, as in the figure.
import torch.distributed as dist
from kernels.ring import attend, merge
from torch import Tensor


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = attend(q, k, v)
    k, v = k.contiguous(), v.contiguous()
    for step in range(1, size):
        n = lengths[(rank - step) % size]
        k2, v2 = k.new_empty(k.shape[0], n, k.shape[2]), v.new_empty(v.shape[0], n, v.shape[2])
        requests = [dist.isend(k, (rank + 1) % 4), dist.isend(v, (rank + 1) % 4)]
        requests += [dist.irecv(k2, (rank - 1) % 4), dist.irecv(v2, (rank - 1) % 4)]
        if step > 1:
            o, L = merge(o, L, *attend(q, k, v))
        for request in requests:
            request.wait()
        k, v = k2, v2
    return merge(o, L, *attend(q, k, v)) if size > 1 else (o, L)
