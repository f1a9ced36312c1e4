# the pairs of a step as a list of those that are seen, asked for by slices that may be empty; head groups by einsum on one KV head at a time
def seen_part(x, kv, halves, other, visible):
    """(o, L) of the query heads of one KV head with one chunk of its keys."""
    keys, values = halves[0][other][kv], halves[1][other][kv]
    group = x.shape[0] // halves[0][other].shape[0]
    mine = x[kv * group : (kv + 1) * group]
    s = torch.einsum("hqd,kd->hqk", mine, keys) * x.shape[-1] ** -0.5
    s = s.masked_fill(~visible, -torch.inf)
    m = s.amax(dim=-1, keepdim=True)
    ground = m.masked_fill(m == -torch.inf, 0)
    p = (s - ground).exp()
    l = p.sum(dim=-1, keepdim=True)
    o = torch.einsum("hqk,kv->hqv", p, values) / l.masked_fill(l == 0, 1)
    return o, (ground + l.log()).squeeze(-1)


def causal_ring(
    q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    """This rank's part of causal attention; in zigzag all ranks have equal work in every step.

    As `ring_attention`, but a query sees only keys at its own position and before. A rank's
    tokens are two chunks, those of tensor_split(2), and a chunk of queries meets a chunk of
    keys only if one of the queries sees one of the keys.

    q: (H, N_r, d), k: (H_kv, N_r, d), v: (H_kv, N_r, d_v) float32, H a multiple of H_kv.
    positions: for each rank r the positions (N_r,) int64 of its tokens, rising, the same on all
    ranks; every position lies on one rank.
    Returns o (H, N_r, d_v) and the log-sum-exp L (H, N_r), same dtype.
    Memory: as there. Messages and time as there, too: no hidden pair of chunks is computed, and
    no block is waited for that could have come before.
    Forbidden: scaled_dot_product. It stays within torch and Python. Arguments stay as they
    are, and results are new memory.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]
    for step in range(size):
        block, owner = (k, v), (rank - step) % size
        transfers, (k, v) = ([], block) if step == size - 1 else pass_on(
            list(block), positions[(owner - 1) % size].numel()
        )
        halves = [x.tensor_split(2, dim=1) for x in block]
        places = positions[owner].tensor_split(2)
        seen = [
            (mine, other)
            for mine, (_, i) in enumerate(queries)
            for other, j in enumerate(places)
            if bool((j[:1] <= i[-1:]).any())
        ]
        for mine, other in seen:
            x, i = queries[mine]
            visible = i.unsqueeze(1) >= places[other].unsqueeze(0)
            part = [seen_part(x, kv, halves, other, visible) for kv in range(len(block[0]))]
            o, L = (torch.cat(y, dim=0) for y in zip(*part))
            outputs[mine], sums[mine] = merge(outputs[mine], sums[mine], o, L)
        for transfer in transfers:
            transfer.wait()
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)
