# right: digits from the highest down, other pairs in as many rounds; what is left over is folded in before and told after
def _merged(a: Tensor, b: Tensor) -> Tensor:
    """Two results (B, H, d_v + 1), the log-sum-exp last; the same bits in either order."""
    o1, L1, o2, L2 = a[..., :-1], a[..., -1:], b[..., :-1], b[..., -1:]
    top = torch.maximum(L1, L2)
    top = torch.where(top == -torch.inf, 0, top)
    w1, w2 = torch.exp(L1 - top), torch.exp(L2 - top)
    total = w1 + w2
    o = (o1 * w1 + o2 * w2) / torch.where(total == 0, 1, total)
    return torch.cat([o, top + torch.log(total)], dim=-1)


def _exchanged(mine: Tensor, partner: int) -> Tensor:
    """What the partner has; both messages are on their way at once."""
    theirs = torch.empty_like(mine)
    asked = [dist.P2POp(dist.isend, mine, partner), dist.P2POp(dist.irecv, theirs, partner)]
    for request in dist.batch_isend_irecv(asked):
        request.wait()
    return theirs


def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    """Attention over all ranks' keys, by messages between pairs of ranks."""
    rank, size = dist.get_rank(), dist.get_world_size()
    packed = torch.cat([o, L[..., None]], dim=-1).contiguous()
    power = 1
    while power * 2 <= size:
        power *= 2
    if rank >= power:
        dist.send(packed, rank - power)
        packed = torch.empty_like(packed)
        dist.recv(packed, rank - power)
    else:
        if rank + power < size:
            late = torch.empty_like(packed)
            dist.recv(late, rank + power)
            packed = _merged(packed, late)
        digit = power // 2
        while digit:
            packed = _merged(packed, _exchanged(packed, rank ^ digit))
            digit //= 2
        if rank + power < size:
            dist.send(packed, rank + power)
    o, L = packed[..., :-1], packed[..., -1]
    return o.clone(), L.clone()
