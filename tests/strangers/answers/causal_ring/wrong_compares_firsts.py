# Wrong: a pair of chunks is left out if the first query is before the first key, though later queries may see it.
# Breaks: "a chunk of queries meets a chunk of keys only if one of the queries sees one of the keys."
import torch
import torch.distributed as dist
from torch import Tensor


def causal_ring(
    q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    """This rank's part of causal attention; in zigzag all ranks have equal work in every step.

    As `ring_attention`, but a query sees only keys at its own position and before. A rank's
    tokens are two chunks, those of tensor_split(2), and a chunk of queries meets a chunk of
    keys only if one of the queries sees one of the keys.

    q: (H, N_r, d), k: (H_kv, N_r, d), v: (H_kv, N_r, d_v) float32, with any strides, H a
    multiple of H_kv.
    positions: for each rank r the positions (N_r,) int64 of its tokens, rising, the same on all
    ranks; every position lies on one rank.
    Returns o (H, N_r, d_v) and the log-sum-exp L (H, N_r), same dtype.
    Memory: as there. Messages and time as there, too: no hidden pair of chunks is computed, and
    no block is waited for that could have come before.
    Forbidden: scaled_dot_product, barrier. It stays within torch and Python, without tolist
    of floating-point numbers. Arguments stay as they are, and results are new memory.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]
    for step in range(size):
        owner = (rank - step) % size
        requests, coming = [], None
        if step < size - 1:
            requests, coming = pass_on([k, v], len(positions[(owner - 1) % size]))
        for i, (queries_i, at) in enumerate(queries):
            blocks = zip(k.tensor_split(2, dim=1), v.tensor_split(2, dim=1), positions[owner].tensor_split(2))
            for keys, values, there in blocks:
                if not len(at) or not len(there) or at[0] < there[0]:
                    continue
                seen = None if at[0] >= there[-1] else there <= at[:, None]
                part = attend(queries_i, keys, values) if seen is None else attend(queries_i, keys, values, seen)
                outputs[i], sums[i] = merge(outputs[i], sums[i], *part)
        for request in requests:
            request.wait()
        if coming is not None:
            k, v = coming
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)
