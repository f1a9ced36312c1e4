# right: the pairs of chunks that see each other are listed first, each with its mask or none, and joined by a helper that knows empty results
def _masked(q: Tensor, k: Tensor, v: Tensor, hidden: Tensor | None) -> tuple[Tensor, Tensor]:
    """o and L of one pair of chunks; 0 and -inf for a query that sees no key of it."""
    grouped = q.unflatten(0, (k.shape[0], -1))
    s = grouped @ k[:, None].mT * q.shape[-1] ** -0.5
    if hidden is not None:
        s = s.masked_fill(hidden, -torch.inf)
    top = s.amax(-1, keepdim=True)
    top = top.masked_fill(top == -torch.inf, 0)
    p = (s - top).exp()
    l = p.sum(-1, keepdim=True)
    o = (p @ v[:, None]) / l.masked_fill(l == 0, 1)
    return o.flatten(0, 1), (top + l.log()).squeeze(-1).flatten(0, 1)


def _joined(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    """Two results over unlike keys; either may be of no key."""
    top = torch.maximum(L1, L2)
    base = top.masked_fill(top == -torch.inf, 0)
    w1, w2 = (L1 - base).exp(), (L2 - base).exp()
    total = w1 + w2
    part = total.masked_fill(total == 0, 1)
    return (w1 / part)[..., None] * o1 + (w2 / part)[..., None] * o2, base + total.log()


def causal_ring(
    q: Tensor, k: Tensor, v: Tensor, positions: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    """This rank's part of causal attention; in zigzag all ranks have equal work in every step."""
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    queries = list(zip(q.tensor_split(2, dim=1), positions[rank].tensor_split(2), strict=True))
    outputs = [x.new_zeros(*x.shape[:2], v.shape[2]) for x, _ in queries]
    sums = [x.new_full(x.shape[:2], -torch.inf) for x, _ in queries]
    for step in range(size):
        owner = (rank - step) % size
        requests, coming = [], [k, v]
        if step < size - 1:
            requests, coming = pass_on([k, v], len(positions[(owner - 1) % size]))
        keys = zip(k.tensor_split(2, 1), v.tensor_split(2, 1), positions[owner].tensor_split(2))
        for k_part, v_part, k_at in keys:
            for i, (q_part, q_at) in enumerate(queries):
                if not len(q_at) or not len(k_at) or k_at[0] > q_at[-1]:
                    continue
                hidden = None if k_at[-1] <= q_at[0] else k_at > q_at[:, None]
                part = _masked(q_part, k_part, v_part, hidden)
                outputs[i], sums[i] = _joined(outputs[i], sums[i], *part)
        for request in requests:
            request.wait()
        k, v = coming
    return torch.cat(outputs, dim=1), torch.cat(sums, dim=1)
