# clock: even ranks send first and odd ones receive first, so nothing hangs, but nothing is computed meanwhile either
import torch
import torch.distributed as dist


def ring_attention(q, k, v, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    o, L = attend(q, k, v)
    for step in range(1, size):
        n = lengths[(rank - step) % size]
        nk, nv = torch.empty(k.shape[0], n, k.shape[2]), torch.empty(v.shape[0], n, v.shape[2])
        for mine, theirs in ((k, nk), (v, nv)):
            if rank % 2 == 0:
                dist.send(mine, (rank + 1) % size)
                dist.recv(theirs, (rank - 1) % size)
            else:
                dist.recv(theirs, (rank - 1) % size)
                dist.send(mine, (rank + 1) % size)
        k, v = nk, nv
        o, L = merge(o, L, *attend(q, k, v))
    return o, L
