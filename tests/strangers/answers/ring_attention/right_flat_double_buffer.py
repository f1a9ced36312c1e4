# Two buffers for the longest block, allocated once, and views of them: one is computed with and sent, the other received into.
import torch
import torch.distributed as dist
from kernels.ring import attend, merge
from torch import Tensor


def ring_attention(q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    kv_heads, d, d_v = k.shape[0], k.shape[2], v.shape[2]
    longest = max(lengths)
    buffers = [q.new_empty(kv_heads * longest * (d + d_v)) for _ in range(min(2, size - 1))]

    def views(number, n):
        flat = buffers[number % 2]
        return (
            flat[: kv_heads * n * d].view(kv_heads, n, d),
            flat[kv_heads * n * d : kv_heads * n * (d + d_v)].view(kv_heads, n, d_v),
        )

    k, v = k.contiguous(), v.contiguous()
    for step in range(size):
        requests = []
        if step < size - 1:
            coming = views(step, lengths[(rank - step - 1) % size])
            for x, y in zip((k, v), coming):
                requests.append(dist.irecv(y, (rank - 1) % size))
                requests.append(dist.isend(x, (rank + 1) % size))
        o, L = merge(o, L, *attend(q, k, v))
        for request in requests:
            request.wait()
        if requests:
            k, v = coming
    return o, L
