# large-positive: sums of exp(S) without a maximum, which go round with the keys
import torch
import torch.distributed as dist


def ring_attention(q, k, v, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    g = q.shape[0] // k.shape[0]
    k, v = k.contiguous(), v.contiguous()
    total, weights = torch.zeros(*q.shape[:2], v.shape[2]), torch.zeros(q.shape[:2])
    for step in range(size):
        jobs = []
        if step < size - 1:
            n = lengths[(rank - step - 1) % size]
            nk, nv = torch.empty(k.shape[0], n, k.shape[2]), torch.empty(v.shape[0], n, v.shape[2])
            jobs = [dist.isend(x, (rank + 1) % size) for x in (k, v)]
            jobs += [dist.irecv(x, (rank - 1) % size) for x in (nk, nv)]
        for h in range(q.shape[0]):
            p = torch.exp(q[h] @ k[h // g].T / q.shape[2] ** 0.5)
            total[h] += p @ v[h // g]
            weights[h] += p.sum(1)
        for job in jobs:
            job.wait()
        if jobs:
            k, v = nk, nv
    return total / weights[..., None], weights.log()
