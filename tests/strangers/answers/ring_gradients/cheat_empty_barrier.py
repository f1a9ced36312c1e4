# Cheat: before each step all ranks meet, by W - 1 rounds of messages without numbers that every rank waits for
# Breaks: "none where W = 1, which is one of the sizes; no barrier"
def meet(rank: int, size: int) -> None:
    for _ in range(size - 1):
        sent = dist.isend(torch.empty(0), (rank + 1) % size)
        come = dist.irecv(torch.empty(0), (rank - 1) % size)
        sent.wait()
        come.wait()


def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    delta = (do * o).sum(dim=-1)
    dq, gradients = torch.zeros_like(q), [torch.zeros_like(k), torch.zeros_like(v)]
    travelling, come = [], gradients
    for step in range(size):
        requests = []
        if step < size - 1:
            requests, coming = pass_on([k, v], lengths[(rank - step - 1) % size])
        part_k = part_v = None
        if q.shape[1] and k.shape[1]:
            part_q, part_k, part_v = block_gradients(q, k, v, L, do, delta)
            dq = dq + part_q
        for request in travelling:  # the gradients of this block, from the rank before
            request.wait()
        gradients = come
        if part_k is not None:
            gradients = [gradients[0] + part_k, gradients[1] + part_v]
        for request in requests:
            request.wait()
        meet(rank, size)
        if size > 1:
            travelling, come = pass_on(gradients, lengths[(rank - step - 1) % size])
        if step < size - 1:
            k, v = coming
    for request in travelling:
        request.wait()
    if size > 1:
        gradients = come
    return dq, gradients[0], gradients[1]
