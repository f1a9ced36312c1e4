# A student's: in step 0 all four pairs of the own block are computed under the mask, though early queries see none of the late keys.
def causal_ring(q, k, v, positions):
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]
    for step in range(size):
        source = (rank - step) % size
        requests = []
        if step + 1 < size:
            requests, coming = pass_on([k, v], len(positions[source - 1]))
        halves = zip(k.tensor_split(2, dim=1), v.tensor_split(2, dim=1), positions[source].tensor_split(2))
        for keys, values, there in halves:
            for i, (x, here) in enumerate(queries):
                if len(there) == 0 or len(here) == 0 or (step and there[0] > here[-1]):
                    continue
                seen = there <= here[:, None]
                found = attend(x, keys, values) if seen.all() else attend(x, keys, values, seen)
                outputs[i], sums[i] = merge(outputs[i], sums[i], *found)
        for request in requests:
            request.wait()
        if requests:
            k, v = coming
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)
