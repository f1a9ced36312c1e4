# the block's gradients written out with grouped einsums, pending transfers in a small class; keeps the contract
class _Hop:
    def __init__(self, blocks, length):
        self.requests, self.blocks = pass_on(blocks, length)

    def done(self):
        for request in self.requests:
            request.wait()
        return list(self.blocks)


def _part(q, k, v, L, do, delta):
    group = q.shape[0] // k.shape[0]
    scale = q.shape[2] ** -0.5
    x, g = (a.unflatten(0, (k.shape[0], group)) for a in (q, do))
    L, delta = (a.unflatten(0, (k.shape[0], group))[..., None] for a in (L, delta))
    p = torch.exp(torch.einsum("kgid,kjd->kgij", x, k) * scale - L)
    ds = p * (torch.einsum("kgic,kjc->kgij", g, v) - delta) * scale
    dq = torch.einsum("kgij,kjd->kgid", ds, k).flatten(0, 1)
    dk = torch.einsum("kgij,kgid->kjd", ds, x)
    dv = torch.einsum("kgij,kgic->kjc", p, g)
    return dq, dk, dv


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    delta = (do * o).sum(dim=-1)
    dq = torch.zeros_like(q)
    blocks, keys_hop, sums_hop = [k, v], None, None
    sums = [torch.zeros_like(k), torch.zeros_like(v)]
    for step in range(size):
        after = lengths[(rank - 1 - step) % size]
        keys_hop = _Hop(blocks, after) if step < size - 1 else None
        here, *rest = _part(q, *blocks, L, do, delta)
        dq += here
        if sums_hop is not None:
            sums = sums_hop.done()
        sums = [a + b for a, b in zip(sums, rest)]
        if size > 1:
            sums_hop = _Hop(sums, after)
        if keys_hop is not None:
            blocks = keys_hop.done()
    if sums_hop is not None:
        sums = sums_hop.done()
    return dq, sums[0], sums[1]
