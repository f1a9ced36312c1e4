# whole pairs by attend, the others by a masked product of broadcast heads; positions as lists, the ring in a helper
def causal_ring(q, k, v, positions):
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]

    def partial(query, key, value, sees):
        group = query.shape[0] // key.shape[0]
        grouped = query.reshape(key.shape[0], group, *query.shape[1:])
        scores = torch.matmul(grouped, key.transpose(1, 2).unsqueeze(1)) / query.shape[2] ** 0.5
        scores = torch.where(sees, scores, -torch.inf)
        top = scores.amax(dim=-1, keepdim=True)
        top = torch.where(top == -torch.inf, torch.zeros_like(top), top)
        weights = torch.exp(scores - top)
        total = weights.sum(dim=-1, keepdim=True)
        o = torch.matmul(weights, value.unsqueeze(1)) / torch.where(total == 0, torch.ones_like(total), total)
        L = (top + torch.log(total)).squeeze(-1)
        return o.reshape(*query.shape[:2], value.shape[2]), L.reshape(query.shape[:2])

    for step in range(size):
        requests, coming = [], [k, v]
        if step < size - 1:
            requests, coming = pass_on([k, v], len(positions[(rank - step - 1) % size]))
        places = positions[(rank - step) % size].tensor_split(2)
        chunks = list(zip(k.tensor_split(2, dim=1), v.tensor_split(2, dim=1), places))
        pairs = [(i, query, at, *chunk) for i, (query, at) in enumerate(queries) for chunk in chunks]
        for i, query, at, key, value, where in pairs:
            if not at.numel() or not where.numel() or int(where[0]) > int(at[-1]):
                continue
            if int(where[-1]) <= int(at[0]):
                found = attend(query, key, value)
            else:
                found = partial(query, key, value, where[None, :] <= at[:, None])
            outputs[i], sums[i] = merge(outputs[i], sums[i], *found)
        for request in requests:
            request.wait()
        k, v = coming
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)
