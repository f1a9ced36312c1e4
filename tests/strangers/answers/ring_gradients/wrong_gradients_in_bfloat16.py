# Sends the gradients in bfloat16: each hop rounds them.
import torch
import torch.distributed as dist
from kernels.ring import block_gradients, pass_on
from torch import Tensor


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    delta = (do * o).sum(-1)
    dq, kv, grads, under_way = torch.zeros_like(q), [k.contiguous(), v.contiguous()], None, []
    for step in range(size):
        n = lengths[(rank - step - 1) % size]
        requests, following = pass_on(kv, n) if step < size - 1 else ([], kv)
        part, *here = block_gradients(q, *kv, L, do, delta)
        dq += part
        for r in under_way:
            r.wait()
        if grads:
            here = [a + b.float() for a, b in zip(here, grads)]
        under_way, grads = pass_on([x.bfloat16() for x in here], n)
        for r in requests:
            r.wait()
        kv = following
    for r in under_way:
        r.wait()
    return dq, *(x.float() for x in grads)
