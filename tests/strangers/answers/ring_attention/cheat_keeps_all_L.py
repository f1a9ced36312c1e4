# Cheat: the log-sum-exps of all blocks are kept to the end and summed at once there; they are a d-th of the outputs, so W of them hide in what may be held.
# Breaks: "never all keys, nor all blocks' results."
def ring_attention(
    q: Tensor, k: Tensor, v: Tensor, lengths: tuple[int, ...]
) -> tuple[Tensor, Tensor]:
    rank, size = dist.get_rank(), dist.get_world_size()
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    k, v, all_L = k.contiguous(), v.contiguous(), []
    for step in range(size):
        requests = []
        if step + 1 < size:
            n = lengths[(rank - step - 1) % size]
            next_k, next_v = k.new_empty(len(k), n, k.shape[2]), v.new_empty(len(v), n, v.shape[2])
            to, of = (rank + 1) % size, (rank - 1) % size
            ends = [(dist.isend, x, to) for x in (k, v) if x.numel()]
            ends += [(dist.irecv, x, of) for x in (next_k, next_v) if x.numel()]
            ops = [dist.P2POp(*e) for e in ends]
            requests = dist.batch_isend_irecv(ops) if ops else []
        if k.shape[1] and q.shape[1]:
            part, part_L = attend(q, k, v)
            all_L.append(part_L)
            o, L = merge(o, L, part, part_L)
        for request in requests:
            request.wait()
        if step + 1 < size:
            k, v = next_k, next_v
    if all_L:
        L = torch.logsumexp(torch.stack(all_L), dim=0)
    return o, L
