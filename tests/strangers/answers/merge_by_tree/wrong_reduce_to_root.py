# rounds: merged to rank 0 by a tree, and handed down by a tree
import torch
import torch.distributed as dist


def merge_by_tree(o, L):
    rank, size = dist.get_rank(), dist.get_world_size()
    x = torch.cat([o, L[..., None]], -1)
    y = torch.empty_like(x)
    step = 1
    while step < size:
        if rank % (2 * step) == step:
            dist.send(x, rank - step)
        elif rank % (2 * step) == 0 and rank + step < size:
            dist.recv(y, rank + step)
            a, b = merge(x[..., :-1], x[..., -1], y[..., :-1], y[..., -1])
            x = torch.cat([a, b[..., None]], -1)
        step *= 2
    while step > 1:
        step //= 2
        if rank % (2 * step) == 0 and rank + step < size:
            dist.send(x, rank + step)
        elif rank % (2 * step) == step:
            dist.recv(x, rank - step)
    return x[..., :-1].clone(), x[..., -1].clone()
