# two "trains" as small objects, one for keys and values, one for gradients; each knows what is in its wagons and waits only when it is opened; right
class Train:
    """Blocks on their way round the ring. `open` waits for what was sent last."""

    def __init__(self, wagons):
        self.wagons, self.requests = wagons, []

    def open(self):
        while self.requests:
            self.requests.pop(0).wait()
        return self.wagons

    def depart(self, wagons, length):
        requests, self.wagons = pass_on(wagons, length)
        self.requests = list(requests)


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    delta = torch.einsum("hic,hic->hi", do, o)
    dq = torch.zeros_like(q)
    keys = Train([k.contiguous(), v.contiguous()])
    sums = Train([torch.zeros_like(x) for x in keys.wagons])
    for step in range(size):
        block = keys.open()
        behind = lengths[(rank - step - 1) % size]
        if step + 1 < size:
            keys.depart(block, behind)
        if q.shape[1] > 0 and block[0].shape[1] > 0:
            dq_part, *parts = block_gradients(q, *block, L, do, delta)
            dq.add_(dq_part)
            total = [torch.add(a, b).contiguous() for a, b in zip(sums.open(), parts)]
        else:
            total = sums.open()
        if size > 1:
            sums.depart(total, behind)
        else:
            sums.wagons = total
    dk, dv = sums.open()
    return dq, dk, dv
