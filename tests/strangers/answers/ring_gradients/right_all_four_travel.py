# keys, values and both gradients in flat messages by isend and irecv; the gradients of a block are awaited after computing
import torch
import torch.distributed as dist


def ring_gradients(q, k, v, o, L, do, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    right, left = (rank + 1) % size, (rank - 1) % size
    delta = (o * do).sum(-1)
    k, v = k.contiguous(), v.contiguous()
    dq = torch.zeros_like(q)
    dk, dv, waiting = torch.zeros_like(k), torch.zeros_like(v), []
    for step in range(size):
        n = lengths[(rank - step - 1) % size]
        jobs = []
        if step < size - 1:
            nk, nv = torch.empty(k.shape[0], n, k.shape[2]), torch.empty(v.shape[0], n, v.shape[2])
            jobs = [dist.isend(k, right, tag=1), dist.isend(v, right, tag=2)]
            jobs += [dist.irecv(nk, left, tag=1), dist.irecv(nv, left, tag=2)]
        a, b, c = block_gradients(q, k, v, L, do, delta)
        dq += a
        for w in waiting:
            w.wait()
        dk, dv = dk + b, dv + c
        if size > 1:
            ndk, ndv = torch.empty(k.shape[0], n, k.shape[2]), torch.empty(v.shape[0], n, v.shape[2])
            waiting = [dist.isend(dk, right, tag=3), dist.isend(dv, right, tag=4)]
            waiting += [dist.irecv(ndk, left, tag=3), dist.irecv(ndv, left, tag=4)]
            sent, dk, dv = (dk, dv), ndk, ndv
        for job in jobs:
            job.wait()
        if jobs:
            k, v = nk, nv
    for w in waiting:
        w.wait()
    return dq, dk, dv
