# the results of all blocks are kept and merged at the end, W of them
def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    k, v = k.contiguous(), v.contiguous()
    found = []
    for step in range(size):
        requests: list[dist.Work] = []
        if step < size - 1:
            coming = lengths[(rank - step - 1) % size]
            next_k = k.new_empty(k.shape[0], coming, k.shape[2])
            next_v = v.new_empty(v.shape[0], coming, v.shape[2])
            asked = [
                dist.P2POp(dist.isend, k, (rank + 1) % size),
                dist.P2POp(dist.isend, v, (rank + 1) % size),
                dist.P2POp(dist.irecv, next_k, (rank - 1) % size),
                dist.P2POp(dist.irecv, next_v, (rank - 1) % size),
            ]
            requests = dist.batch_isend_irecv(asked)
        found.append(attend(q, k, v))
        for request in requests:
            request.wait()
        if requests:
            k, v = next_k, next_v
    for each in found:
        o, L = merge(o, L, *each)
    return o, L



