# only what any query sees of the keys is computed: rows from the first that sees something, keys up to the last that is seen
import torch
import torch.distributed as dist


def causal_ring(q, k, v, positions):
    rank, size = dist.get_rank(), dist.get_world_size()
    own = positions[rank]
    o, L = torch.zeros(*q.shape[:2], v.shape[2]), torch.full(q.shape[:2], -torch.inf)
    k, v = k.contiguous(), v.contiguous()
    for step in range(size):
        at = positions[(rank - step) % size]
        requests, coming = [], (k, v)
        if step < size - 1:
            requests, coming = pass_on((k, v), positions[(rank - step - 1) % size].shape[0])
        for rows in torch.arange(len(own)).tensor_split(2):
            if len(rows):
                a, b = int(rows[0]), int(rows[-1]) + 1
                n = int((at <= own[b - 1]).sum())
                if n:
                    part = attend(q[:, a:b], k[:, :n], v[:, :n], at[:n] <= own[a:b, None])
                    o[:, a:b], L[:, a:b] = merge(o[:, a:b], L[:, a:b], *part)
        for request in requests:
            request.wait()
        k, v = coming
    return o, L
