# Breaks: "A block goes round the ring with the gradients that it has so far: every rank adds its queries' part to them." (each part is sent straight to the block's owner, who adds what comes)
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import attend, block_gradients, merge, pass_on


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    delta = (do * o).sum(dim=-1)
    dq, gradients = torch.zeros_like(q), [torch.zeros_like(k), torch.zeros_like(v)]
    due = []
    for step in range(size):
        source = (rank - step) % size
        requests = []
        if step < size - 1:
            requests, coming = pass_on([k, v], lengths[(source - 1) % size])
        part, dk, dv = block_gradients(q, k, v, L, do, delta)
        dq = dq + part
        for x in due:
            x.wait()
        if step > 1:
            gradients = [g + c for g, c in zip(gradients, come)]
        if step == 0:
            gradients = [dk, dv]
        else:
            # what this rank has found goes to `source`, and rank + step has the own block's
            come = [torch.empty_like(g) for g in gradients]
            asked = [dist.P2POp(dist.isend, x.contiguous(), source) for x in (dk, dv)]
            asked += [dist.P2POp(dist.irecv, x, (rank + step) % size) for x in come]
            due = dist.batch_isend_irecv(asked)
        for x in requests:
            x.wait()
        if step < size - 1:
            k, v = coming
    for x in due:
        x.wait()
    if size > 1:
        gradients = [g + c for g, c in zip(gradients, come)]
    return dq, gradients[0], gradients[1]
