# Right: itertools.product of chunks of queries and keys, a generator of the visible pairs.
from itertools import product

import torch
import torch.distributed as dist

from kernels.ring import attend, merge, pass_on


def visible_pairs(queries, keys):
    """(number of the chunk of queries, queries, keys, values, mask or None)."""
    for (i, (x, p)), (k, v, j) in product(enumerate(queries), keys):
        if len(p) == 0 or len(j) == 0 or j[0] > p[-1]:
            continue
        yield i, x, k, v, None if j[-1] <= p[0] else j <= p[:, None]


def causal_ring(q, k, v, positions):
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]
    for step in range(size):
        here, following = (rank - step) % size, (rank - step - 1) % size
        requests, coming = [], (None, None)
        if step < size - 1:
            requests, coming = pass_on([k, v], len(positions[following]))
        chunks = (k.tensor_split(2, 1), v.tensor_split(2, 1), positions[here].tensor_split(2))
        for i, x, keys, values, seen in visible_pairs(queries, list(zip(*chunks))):
            block = attend(x, keys, values) if seen is None else attend(x, keys, values, seen)
            outputs[i], sums[i] = merge(outputs[i], sums[i], *block)
        for request in requests:
            request.wait()
        k, v = coming
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)
