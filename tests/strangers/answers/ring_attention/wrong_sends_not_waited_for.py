# unfinished: only what is received is waited for, never what is sent
import torch
import torch.distributed as dist


def ring_attention(q, k, v, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    o, L = torch.zeros(*q.shape[:2], v.shape[2]), torch.full(q.shape[:2], -torch.inf)
    for step in range(size):
        take = []
        if step < size - 1:
            n = lengths[(rank - step - 1) % size]
            nk, nv = torch.empty(k.shape[0], n, k.shape[2]), torch.empty(v.shape[0], n, v.shape[2])
            dist.isend(k, (rank + 1) % size)
            dist.isend(v, (rank + 1) % size)
            take = [dist.irecv(nk, (rank - 1) % size), dist.irecv(nv, (rank - 1) % size)]
        o, L = merge(o, L, *attend(q, k, v))
        for t in take:
            t.wait()
        if take:
            k, v = nk, nv
    return o, L
