# overwritten: the block that comes is copied over the one that is still being sent
import torch
import torch.distributed as dist


def ring_attention(q, k, v, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.clone().contiguous(), v.clone().contiguous()
    o, L = torch.zeros(*q.shape[:2], v.shape[2]), torch.full(q.shape[:2], -torch.inf)
    for step in range(size):
        sends, receives = [], []
        if step < size - 1:
            n = lengths[(rank - step - 1) % size]
            nk, nv = torch.empty(k.shape[0], n, k.shape[2]), torch.empty(v.shape[0], n, v.shape[2])
            sends += [dist.isend(k, (rank + 1) % size), dist.isend(v, (rank + 1) % size)]
            receives += [dist.irecv(nk, (rank - 1) % size), dist.irecv(nv, (rank - 1) % size)]
        o, L = merge(o, L, *attend(q, k, v))
        [r.wait() for r in receives]
        if receives:
            if n == k.shape[1]:
                k.copy_(nk)
                v.copy_(nv)
            else:
                k, v = nk, nv
        [s.wait() for s in sends]
    return o, L
