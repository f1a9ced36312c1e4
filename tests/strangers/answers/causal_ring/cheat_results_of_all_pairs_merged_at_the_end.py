# the results of all pairs of chunks are kept and merged at the end
def causal_ring(
    q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]
    found = []
    for step in range(size):
        theirs = positions[(rank - step) % size]
        following = len(positions[(rank - step - 1) % size])
        requests, coming = pass_on([k, v], following) if step < size - 1 else ([], [k, v])
        chunks = k.tensor_split(2, dim=1), v.tensor_split(2, dim=1), theirs.tensor_split(2)
        for k_chunk, v_chunk, at in zip(*chunks, strict=True):
            for i, (q_chunk, own) in enumerate(queries):
                if len(own) and len(at) and at[0] <= own[-1]:
                    seen = None if at[-1] <= own[0] else at <= own[:, None]
                    block = attend(q_chunk, k_chunk, v_chunk, seen)
                    found.append((i, block))
        for request in requests:
            request.wait()
        k, v = coming
    for i, block in found:
        outputs[i], sums[i] = merge(outputs[i], sums[i], *block)
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)



