# deadlock: all ranks send before any of them receives
import torch
import torch.distributed as dist


def ring_attention(q, k, v, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    o, L = attend(q, k, v)
    for step in range(1, size):
        n = lengths[(rank - step) % size]
        nk, nv = torch.empty(k.shape[0], n, k.shape[2]), torch.empty(v.shape[0], n, v.shape[2])
        dist.send(k, (rank + 1) % size)
        dist.send(v, (rank + 1) % size)
        dist.recv(nk, (rank - 1) % size)
        dist.recv(nv, (rank - 1) % size)
        k, v = nk, nv
        o, L = merge(o, L, *attend(q, k, v))
    return o, L
