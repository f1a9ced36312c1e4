# Cheat: where a pair of chunks is seen in part, both are cut again into halves and hidden quarters are left out: four chunks on a rank where the contract has two, so that ranks and steps no longer have equal work.
# Breaks: "A rank's tokens are two chunks, those of tensor_split(2)" and "in zigzag all ranks have equal work in every step".
def causal_ring(
    q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]
    for step in range(size):
        source = (rank - step) % size
        if step + 1 < size:
            requests, coming = pass_on([k, v], len(positions[(source - 1) % size]))
        own = zip(k.tensor_split(2, 1), v.tensor_split(2, 1), positions[source].tensor_split(2))
        for keys, values, at in own:
            for (x, own_at), o, L in zip(queries, outputs, sums):
                if not len(at) or not len(own_at) or at[0] > own_at[-1]:
                    continue
                parts = 1 if at[-1] <= own_at[0] else 2
                rows = zip(x.tensor_split(parts, 1), own_at.tensor_split(parts),
                           o.tensor_split(parts, 1), L.tensor_split(parts, 1))
                for y, here, o_here, L_here in rows:
                    pieces = zip(keys.tensor_split(parts, 1), values.tensor_split(parts, 1),
                                 at.tensor_split(parts))
                    for some_k, some_v, there in pieces:
                        if not len(there) or not len(here) or there[0] > here[-1]:
                            continue
                        seen = [] if there[-1] <= here[0] else [there <= here[:, None]]
                        found = merge(o_here, L_here, *attend(y, some_k, some_v, *seen))
                        o_here.copy_(found[0])
                        L_here.copy_(found[1])
        if step + 1 < size:
            for request in requests:
                request.wait()
            k, v = coming
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)
