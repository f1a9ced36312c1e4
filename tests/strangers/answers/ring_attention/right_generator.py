# Right: a generator starts the next transfer before it yields the block at hand, and waits after it.
import torch
import torch.distributed as dist

from kernels.ring import attend, merge


def travelling(block, lengths):
    """The blocks of all ranks in the order in which they pass by; one is always on its way."""
    rank, size = dist.get_rank(), dist.get_world_size()
    after, before = (rank + 1) % size, (rank - 1) % size
    for step in range(size):
        requests, coming = [], None
        if step + 1 < size:
            length = lengths[(rank - step - 1) % size]
            coming = [x.new_empty(x.shape[0], length, x.shape[2]) for x in block]
            requests = dist.batch_isend_irecv(
                [dist.P2POp(dist.isend, x, after) for x in block]
                + [dist.P2POp(dist.irecv, x, before) for x in coming]
            )
        yield block
        for request in requests:
            request.wait()
        block = coming


def ring_attention(q, k, v, lengths):
    o, L = q.new_zeros(*q.shape[:2], v.shape[2]), q.new_full(q.shape[:2], -torch.inf)
    for keys, values in travelling([k.contiguous(), v.contiguous()], lengths):
        if keys.shape[1] > 0:
            o, L = merge(o, L, *attend(q, keys, values))
    return o, L
