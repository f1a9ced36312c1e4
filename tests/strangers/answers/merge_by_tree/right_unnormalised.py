# state of numerator, denominator and maximum rebuilt from one packed tensor, merge written with sorted ranks, helper functions; keeps the contract
def _packed(o, L):
    return torch.cat([o, L.unsqueeze(-1)], dim=-1).contiguous()


def _combine(a, b):
    """Symmetric in its arguments, bit for bit."""
    La, Lb = a[..., -1:], b[..., -1:]
    top = torch.maximum(La, Lb)
    base = torch.where(top == -torch.inf, torch.zeros_like(top), top)
    wa, wb = torch.exp(La - base), torch.exp(Lb - base)
    total = wa + wb
    o = (a[..., :-1] * wa + b[..., :-1] * wb) / torch.where(total == 0, torch.ones_like(total), total)
    return torch.cat([o, base + torch.log(total)], dim=-1)


def _swap(x, partner):
    y = torch.empty_like(x)
    calls = [dist.P2POp(dist.isend, x, partner), dist.P2POp(dist.irecv, y, partner)]
    for request in dist.batch_isend_irecv(calls):
        request.wait()
    return y


def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    power = 1
    while 2 * power <= size:
        power *= 2
    state = _packed(o, L)
    guest = rank + power
    if rank >= power:
        dist.send(state, rank - power)
        state = torch.empty_like(state)
        dist.recv(state, rank - power)
    else:
        if guest < size:
            other = torch.empty_like(state)
            dist.recv(other, guest)
            state = _combine(state, other)
        bit = 1
        while bit < power:
            other = _swap(state, rank ^ bit)
            state = _combine(state, other) if rank & bit == 0 else _combine(other, state)
            bit *= 2
        if guest < size:
            dist.send(state, guest)
    return state[..., :-1].clone(), state[..., -1].clone()
