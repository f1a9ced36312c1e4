# Style: port of a contiguous ring: a block of a later rank is skipped, one of an earlier rank is seen whole, its own is a triangle: wrong in zigzag and stripes.
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
    Forbidden: scaled_dot_product. It stays within torch and Python, without tolist of
    floating-point numbers. Arguments stay as they are, and results are new memory.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]
    for step in range(size):
        source = (rank - step) % size
        requests, coming = [], (k, v)
        if step < size - 1:
            requests, coming = pass_on([k, v], len(positions[(source - 1) % size]))
        chunks = list(
            zip(k.tensor_split(2, 1), v.tensor_split(2, 1), positions[source].tensor_split(2))
        )
        for i, (x, at) in enumerate(queries):
            for keys, values, there in chunks:
                if len(at) and len(there) and source <= rank and (source < rank or there[0] <= at[-1]):
                    part = attend(x, keys, values, (there <= at[:, None]) | torch.tensor(source < rank))
                    outputs[i], sums[i] = merge(outputs[i], sums[i], *part)
        for request in requests:
            request.wait()
        k, v = coming
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)
