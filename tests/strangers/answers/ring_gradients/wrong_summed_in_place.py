# overwritten: the gradients that were received are added to in place while they are still being sent on
import torch
import torch.distributed as dist


def ring_gradients(q, k, v, o, L, do, lengths):
    rank, size = dist.get_rank(), dist.get_world_size()
    delta = (o * do).sum(-1)
    k, v = k.contiguous(), v.contiguous()
    dq, grads = torch.zeros_like(q), [torch.zeros_like(k), torch.zeros_like(v)]
    late = []
    for step in range(size):
        n = lengths[(rank - step - 1) % size]
        jobs, nxt = pass_on([k, v], n) if step < size - 1 else ([], [k, v])
        for w in late:
            w.wait()
        late, coming = pass_on(grads, n)
        a, b, c = block_gradients(q, k, v, L, do, delta)
        dq += a
        grads[0] += b
        grads[1] += c
        for w in late:
            w.wait()
        late, grads = [], coming
        for job in jobs:
            job.wait()
        k, v = nxt
    return dq, *grads
