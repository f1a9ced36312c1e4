# clock: right by masks, but every block is computed whole, whatever of it is hidden
import torch
import torch.distributed as dist


def causal_ring(q, k, v, positions):
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = torch.zeros(*q.shape[:2], v.shape[2]), torch.full(q.shape[:2], -torch.inf)
    k, v = k.contiguous(), v.contiguous()
    for step in range(size):
        owner = (rank - step) % size
        requests, coming = [], (k, v)
        if step < size - 1:
            requests, coming = pass_on((k, v), len(positions[(owner - 1) % size]))
        o, L = merge(o, L, *attend(q, k, v, positions[owner][None] <= positions[rank][:, None]))
        for request in requests:
            request.wait()
        k, v = coming
    return o, L
