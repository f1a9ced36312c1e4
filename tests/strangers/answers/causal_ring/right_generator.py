# style: generators: one yields the blocks of the ring, one the pairs of chunks that meet; own messages by batch_isend_irecv
import torch
import torch.distributed as dist
from torch import Tensor

from kernels.ring import attend, merge


def _blocks(k, v, lengths, rank, size):
    """The blocks that come by, the next one always on its way."""
    for step in range(size):
        requests, coming = [], None
        if step + 1 < size:
            n = lengths[(rank - step - 1) % size]
            coming = [x.new_empty(x.shape[0], n, x.shape[2]) for x in (k, v)]
            ops = []
            if k.shape[1]:
                ops += [dist.P2POp(dist.isend, x, (rank + 1) % size) for x in (k, v)]
            if n:
                ops += [dist.P2POp(dist.irecv, x, (rank - 1) % size) for x in coming]
            requests = dist.batch_isend_irecv(ops) if ops else []
        yield (rank - step) % size, k, v
        for request in requests:
            request.wait()
        if coming:
            k, v = coming


def causal_ring(
    q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]
    lengths = [len(p) for p in positions]
    for owner, keys, values in _blocks(k, v, lengths, rank, size):
        where = positions[owner]
        cut = len(where.tensor_split(2)[0])
        for i, (x, at) in enumerate(queries):
            if not len(at):
                continue
            for a, b in ((0, cut), (cut, len(where))):
                if a == b or int(where[a]) > int(at[-1]):
                    continue
                mask = () if int(where[b - 1]) <= int(at[0]) else (where[a:b][None] <= at[:, None],)
                outputs[i], sums[i] = merge(outputs[i], sums[i], *attend(x, keys[:, a:b], values[:, a:b], *mask))
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)
