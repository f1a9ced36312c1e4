# two flat buffers for the longest block, used in turns: the one that is being sent is never received into
import torch
import torch.distributed as dist


def ring_attention(q, k, v, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    heads, d, d_v = k.shape[0], k.shape[2], v.shape[2]
    most = max(lengths)
    flat = [torch.empty(heads * most * (d + d_v)) for _ in range(2)]

    def views(buffer, n):
        return buffer[: heads * n * d].view(heads, n, d), buffer[heads * n * d :][: heads * n * d_v].view(heads, n, d_v)

    now = views(flat[0], lengths[rank])
    now[0].copy_(k)
    now[1].copy_(v)
    o, L = torch.zeros(*q.shape[:2], d_v), torch.full(q.shape[:2], -torch.inf)
    for step in range(size):
        requests, nxt = [], now
        if step < size - 1:
            nxt = views(flat[(step + 1) % 2], lengths[(rank - step - 1) % size])
            ops = [dist.P2POp(dist.isend, x, (rank + 1) % size) for x in now]
            ops += [dist.P2POp(dist.irecv, x, (rank - 1) % size) for x in nxt]
            requests = dist.batch_isend_irecv(ops)
        o, L = merge(o, L, *attend(q, *now))
        for request in requests:
            request.wait()
        now = nxt
    return o, L
