# Cheat: the part of a rank's own queries in its own gradients never travels: it waits at home, and the first message of gradients holds zeros, asked for before anything is multiplied, so that one transfer fewer is waited for.
# Breaks: "A block goes round the ring with the gradients that it has so far: every rank adds its queries' part to them."
def ring_gradients(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    k, v = k.contiguous(), v.contiguous()
    delta = (do * o).sum(dim=-1)
    dq, gradients = torch.zeros_like(q), [torch.zeros_like(k), torch.zeros_like(v)]
    home, back = None, []
    for step in range(size):
        source = (rank - step) % size
        before = lengths[(source - 1) % size]
        requests = []
        if step + 1 < size:
            requests, coming = pass_on([k, v], before)
            if step == 0:
                back, arriving = pass_on(gradients, before)  # nothing but zeros
        part, dk, dv = block_gradients(q, k, v, L, do, delta)
        dq += part
        if step == 0:
            home = dk, dv
        else:
            for request in back:
                request.wait()
            gradients = arriving
            gradients[0].add_(dk)
            gradients[1].add_(dv)
            back, arriving = pass_on(gradients, before)
        for request in requests:
            request.wait()
        if step + 1 < size:
            k, v = coming
    if size > 1:
        for request in back:
            request.wait()
        gradients = arriving
    return dq, gradients[0] + home[0], gradients[1] + home[1]
