# Compares ranks in place of positions: blocks of ranks before are whole, those behind are hidden.
import torch
import torch.distributed as dist
from kernels.ring import attend, merge, pass_on
from torch import Tensor


def causal_ring(q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]
    for step in range(size):
        source = (rank - step) % size
        requests = []
        if step < size - 1:
            requests, coming = pass_on([k, v], len(positions[(source - 1) % size]))
        for j, p_k in enumerate(positions[source].tensor_split(2)):
            keys, values = k.tensor_split(2, dim=1)[j], v.tensor_split(2, dim=1)[j]
            for i, (x, p_q) in enumerate(queries):
                if len(p_q) and len(p_k) and (source <= rank and p_k[0] <= p_q[-1]):
                    seen = (p_k <= p_q[:, None]) if source == rank else None
                    outputs[i], sums[i] = merge(outputs[i], sums[i], *attend(x, keys, values, seen))
        for request in requests:
            request.wait()
        if requests:
            k, v = coming
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)
