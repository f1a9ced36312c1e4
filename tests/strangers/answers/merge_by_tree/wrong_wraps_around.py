# three-ranks: rank r sends to r + 2^i mod W in each round, so that parts are merged twice unless W is a power of two
import torch
import torch.distributed as dist


def merge_by_tree(o, L):
    rank, size = dist.get_rank(), dist.get_world_size()
    i = 1
    while i < size:
        x = torch.cat([o, L[..., None]], -1)
        y = torch.empty_like(x)
        jobs = [dist.isend(x, (rank + i) % size), dist.irecv(y, (rank - i) % size)]
        [job.wait() for job in jobs]
        o, L = merge(o, L, y[..., :-1], y[..., -1])
        i *= 2
    return o.clone(), L.clone()
