# rounds: the ranks' results go round a ring
import torch
import torch.distributed as dist


def merge_by_tree(o, L):
    rank, size = dist.get_rank(), dist.get_world_size()
    x = torch.cat([o, L[..., None]], -1)
    for _ in range(size - 1):
        y = torch.empty_like(x)
        jobs = [dist.isend(x, (rank + 1) % size), dist.irecv(y, (rank - 1) % size)]
        for job in jobs:
            job.wait()
        o, L = merge(o, L, y[..., :-1], y[..., -1])
        x = y
    return o.clone(), L.clone()
