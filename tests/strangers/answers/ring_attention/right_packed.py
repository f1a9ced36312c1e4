# K and V in one flat message; a generator yields the blocks, and the ring turns inside of it
def ring_attention(q, k, v, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    kv_heads, d, d_v = k.shape[0], k.shape[2], v.shape[2]

    def blocks():
        yield_now, here = [k, v], torch.cat((k.reshape(-1), v.reshape(-1))) if size > 1 else None
        for step in range(size):
            requests, there = [], None
            n = lengths[(rank - step - 1) % size]
            if step + 1 < size:
                there = k.new_empty(kv_heads * n * (d + d_v))
                ends = [
                    dist.P2POp(dist.isend, here, (rank + 1) % size),
                    dist.P2POp(dist.irecv, there, (rank - 1) % size),
                ]
                requests = dist.batch_isend_irecv(ends)
            yield yield_now
            for request in requests:
                request.wait()
            here = there
            if there is not None:
                keys = there[: kv_heads * n * d].view(kv_heads, n, d)
                yield_now = [keys, there[kv_heads * n * d :].view(kv_heads, n, d_v)]

    for keys, values in blocks():
        if keys.shape[1] > 0 and q.shape[1] > 0:
            o, L = merge(o, L, *attend(q, keys, values))
    return o, L
