# 'In step s the rank works on the block of rank (rank - s) mod W', 'Memory: three blocks': half of the queries meet two blocks at once while the next one comes, the other half while the one after it comes; four blocks are held
import torch
import torch.distributed as dist
from torch import Tensor


def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)

    def pass_on(step, k, v):
        if step >= size - 1:
            return [], None, None
        coming = lengths[(rank - step - 1) % size]
        next_k = k.new_empty(k.shape[0], coming, k.shape[2])
        next_v = v.new_empty(v.shape[0], coming, v.shape[2])
        asked = [dist.P2POp(dist.isend, x, (rank + 1) % size) for x in (k, v)]
        asked += [dist.P2POp(dist.irecv, x, (rank - 1) % size) for x in (next_k, next_v)]
        return dist.batch_isend_irecv(asked), next_k, next_v

    half = -(-q.shape[1] // 2)
    working = [(k.contiguous(), v.contiguous())]
    step, (k, v) = 0, working[0]
    while working:
        came = []
        for rows in (slice(0, half), slice(half, q.shape[1])):
            requests, next_k, next_v = pass_on(step, k, v)
            for i in range(rows.start, rows.stop, 4):
                some = slice(i, min(i + 4, rows.stop))
                for pair in working:
                    o[:, some], L[:, some] = merge(o[:, some], L[:, some], *attend(q[:, some], *pair))
            for request in requests:
                request.wait()
            if requests:
                came.append((next_k, next_v))
                step, k, v = step + 1, next_k, next_v
        working = came
    return o, L
