# Broken: "In step s the rank works on the block of rank (rank - s) mod W". The second half of the queries is always one block behind: a block that has been handed on already is kept for another step, and the last one is worked on after the ring has ended; three blocks of memory are allowed, and messages and products are as many as they should be.
def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    half = q.shape[1] // 2
    first, second = slice(0, half), slice(half, None)

    def work(part, keys, values):
        if keys.shape[1] and q[:, part].shape[1]:
            found = attend(q[:, part], keys, values)
            o[:, part], L[:, part] = merge(o[:, part], L[:, part], *found)

    block, before = (k.contiguous(), v.contiguous()), None
    for step in range(size):
        requests, following = [], None
        if step < size - 1:
            requests, following = pass_on([*block], lengths[(rank - step - 1) % size])
        work(first, *block)
        if before is not None:
            work(second, *before)
        for request in requests:
            request.wait()
        before, block = block, following
    work(second, *before)
    return o, L
