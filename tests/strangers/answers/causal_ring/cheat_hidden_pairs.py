# Cheat: computes the scores of hidden pairs of chunks too, by cartesian_prod and prod, and adds none of them
# Breaks: "no hidden pair of chunks is computed"
def hidden_scores(q: Tensor, k: Tensor) -> Tensor:
    """(H, N, M): scores of all queries with all keys, number by number."""
    group = q.shape[0] // k.shape[0]
    s = q.new_zeros(q.shape[0], q.shape[1], k.shape[1])
    for h in range(q.shape[0]):
        for c in range(q.shape[2]):
            pairs = torch.cartesian_prod(q[h, :, c], k[h // group, :, c])
            s[h] += pairs.prod(dim=1).reshape(s.shape[1:])
    return s


def causal_ring(
    q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]
    for step in range(size):
        requests = []
        if step < size - 1:
            requests, coming = pass_on([k, v], len(positions[(rank - step - 1) % size]))
        there = positions[(rank - step) % size].tensor_split(2)
        chunks = list(zip(k.tensor_split(2, dim=1), v.tensor_split(2, dim=1), there))
        for i, (x, at) in enumerate(queries):
            for keys, values, p in chunks:
                if len(at) == 0 or len(p) == 0:
                    continue
                if p[0] > at[-1]:
                    s = hidden_scores(x, keys)
                    sums[i] = torch.where(s.sum(dim=-1) == torch.inf, sums[i] + 0, sums[i])
                    continue
                seen = () if p[-1] <= at[0] else (p <= at[:, None],)
                part = attend(x, keys, values, *seen)
                outputs[i], sums[i] = merge(outputs[i], sums[i], *part)
        for request in requests:
            request.wait()
        if step < size - 1:
            k, v = coming
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)
