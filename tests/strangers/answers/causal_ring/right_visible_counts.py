# The mask by counting: how many keys of a chunk each query sees, by searchsorted, since positions rise.
import torch
import torch.distributed as dist
from kernels.ring import attend, merge, pass_on
from torch import Tensor


def visible(p_q, p_k):
    return torch.searchsorted(p_k, p_q, right=True)


def causal_ring(q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    block = (k.contiguous(), v.contiguous())
    rows = [
        (a, b, [a.new_zeros(*a.shape[:2], v.shape[2]), a.new_full(a.shape[:2], -torch.inf)])
        for a, b in zip(q.tensor_split(2, 1), positions[rank].tensor_split(2))
    ]
    for step in range(size):
        source = (rank - step) % size
        requests, following = [], None
        if step + 1 < size:
            requests, following = pass_on(block, positions[source - 1].numel())
        for chunk in range(2):
            p_k = positions[source].tensor_split(2)[chunk]
            kv = [x.tensor_split(2, 1)[chunk] for x in block]
            for x, p_q, state in rows:
                counts = visible(p_q, p_k)
                if counts.sum() > 0:
                    seen = torch.arange(len(p_k)) < counts[:, None]
                    state[:] = merge(*state, *attend(x, *kv, seen))
        for request in requests:
            request.wait()
        block = following
    return tuple(torch.cat(x, 1) for x in zip(*(state for _, _, state in rows)))
