# K and V travel as one flat message; a generator yields the blocks and does the waiting when it is asked for the next one; empty blocks are left out; right
def blocks_of_the_ring(k, v, lengths):
    """The keys and values of rank, rank - 1, ...; the next one is on its way meanwhile."""
    rank, size = dist.get_rank(), dist.get_world_size()
    (kv_heads, _, d), d_v = k.shape, v.shape[2]
    here = torch.cat([k.reshape(-1), v.reshape(-1)])
    for step in range(size):
        n = lengths[(rank - step) % size]
        requests, there = [], here
        if step < size - 1:
            coming = lengths[(rank - step - 1) % size]
            there = k.new_empty(kv_heads * coming * (d + d_v))
            wishes = []
            if n:
                wishes.append(dist.P2POp(dist.isend, here, (rank + 1) % size))
            if coming:
                wishes.append(dist.P2POp(dist.irecv, there, (rank - 1) % size))
            requests = dist.batch_isend_irecv(wishes) if wishes else []
        keys, values = here.split([kv_heads * n * d, kv_heads * n * d_v])
        yield keys.view(kv_heads, n, d), values.view(kv_heads, n, d_v)
        for request in requests:
            request.wait()
        here = there


def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    for keys, values in blocks_of_the_ring(k, v, lengths):
        if q.shape[1] > 0 and keys.shape[1] > 0:
            part = attend(q, keys, values)
            o, L = merge(o, L, part[0], part[1])
    return o, L
