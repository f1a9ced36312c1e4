# Adds this rank's part to the gradients in place while they are being sent.
import torch
import torch.distributed as dist
from kernels.ring import block_gradients, pass_on
from torch import Tensor


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    delta = (do * o).sum(-1)
    dq, kv = torch.zeros_like(q), [k.contiguous(), v.contiguous()]
    grads = [torch.zeros_like(kv[0]), torch.zeros_like(kv[1])]
    under_way = []
    for step in range(size):
        n = lengths[(rank - step - 1) % size]
        requests, following = pass_on(kv, n) if step < size - 1 else ([], kv)
        for r in under_way:
            r.wait()
        under_way, arriving = pass_on(grads, n)
        part, dk, dv = block_gradients(q, *kv, L, do, delta)
        dq += part
        grads[0] += dk
        grads[1] += dv
        for r in requests:
            r.wait()
        kv, grads = following, arriving
    for r in under_way:
        r.wait()
    return dq, *grads
