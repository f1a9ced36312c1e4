# the results of four blocks are merged when there are four, which is a few times the results of one
import torch
import torch.distributed as dist
from torch import Tensor


def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    k, v = k.contiguous(), v.contiguous()
    results = []
    for step in range(size):
        requests = []
        if step < size - 1:
            coming = lengths[(rank - step - 1) % size]
            next_k = k.new_empty(k.shape[0], coming, k.shape[2])
            next_v = v.new_empty(v.shape[0], coming, v.shape[2])
            asked = [dist.P2POp(dist.isend, x, (rank + 1) % size) for x in (k, v)]
            asked += [dist.P2POp(dist.irecv, x, (rank - 1) % size) for x in (next_k, next_v)]
            requests = dist.batch_isend_irecv(asked)
        results.append(attend(q, k, v))
        if len(results) == 4 or step == size - 1:
            for more in results:
                o, L = merge(o, L, *more)
            results = []
        for request in requests:
            request.wait()
        if requests:
            k, v = next_k, next_v
    return o, L
