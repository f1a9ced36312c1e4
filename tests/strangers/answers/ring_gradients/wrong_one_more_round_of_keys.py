# Keys and values are sent W times like the gradients, all four in one batch behind the products.
import torch
import torch.distributed as dist
from kernels.ring import block_gradients, pass_on
from torch import Tensor


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    delta = (do * o).sum(-1)
    dq, held = torch.zeros_like(q), [k.contiguous(), v.contiguous(), torch.zeros_like(k), torch.zeros_like(v)]
    for step in range(size):
        part, dk, dv = block_gradients(q, *held[:2], L, do, delta)
        dq += part
        requests, held = pass_on([*held[:2], held[2] + dk, held[3] + dv], lengths[(rank - step - 1) % size])
        for r in requests:
            r.wait()
    return dq, held[2], held[3]
