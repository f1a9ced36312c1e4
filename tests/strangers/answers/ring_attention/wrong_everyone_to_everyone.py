# memory: each rank sends its block straight to all others at the start and keeps all that comes
import torch
import torch.distributed as dist


def ring_attention(q, k, v, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    jobs, blocks = [], []
    for other in range(size):
        if other != rank:
            jobs += [dist.isend(k, other), dist.isend(v, other)]
            blocks.append(
                (
                    torch.empty(k.shape[0], lengths[other], k.shape[2]),
                    torch.empty(v.shape[0], lengths[other], v.shape[2]),
                )
            )
            jobs += [dist.irecv(x, other) for x in blocks[-1]]
    o, L = attend(q, k, v)
    for job in jobs:
        job.wait()
    for block in blocks:
        o, L = merge(o, L, *attend(q, *block))
    return o, L
