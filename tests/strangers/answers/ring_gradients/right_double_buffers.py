# Two flat buffers for blocks and two for gradients, for the longest block, used in turn.
import torch
import torch.distributed as dist
from kernels.ring import block_gradients
from torch import Tensor


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    delta = (do * o).sum(dim=-1)
    longest = max(lengths)
    shapes = [(k.shape[0], k.shape[2]), (v.shape[0], v.shape[2])]
    flat = [[q.new_empty(h * longest * w) for h, w in shapes] for _ in range(4 if size > 1 else 0)]

    def views(i, n):
        return [x[: h * n * w].view(h, n, w) for x, (h, w) in zip(flat[i], shapes)]

    def start(out, into):
        ops = [dist.P2POp(dist.irecv, x, (rank - 1) % size) for x in into]
        ops += [dist.P2POp(dist.isend, x, (rank + 1) % size) for x in out]
        return dist.batch_isend_irecv(ops)

    block, grads, under_way = [k.contiguous(), v.contiguous()], None, []
    dq = torch.zeros_like(q)
    for step in range(size):
        n = lengths[(rank - step - 1) % size]
        requests = []
        if step < size - 1:
            coming = views(step % 2, n)
            requests = start(block, coming)
        part_q, part_k, part_v = block_gradients(q, *block, L, do, delta)
        dq += part_q
        for request in under_way:
            request.wait()
        if grads is not None:
            part_k += grads[0]
            part_v += grads[1]
        sending = [part_k, part_v]
        if size == 1:
            return dq, part_k, part_v
        grads = views(2 + step % 2, n)
        under_way = start(sending, grads)
        for request in requests:
            request.wait()
        if requests:
            block = coming
    for request in under_way:
        request.wait()
    return dq, grads[0].clone(), grads[1].clone()
