# nobody: the merge divides by a sum that may be 0
import torch
import torch.distributed as dist


def merge_by_tree(o, L):
    r, W = dist.get_rank(), dist.get_world_size()
    P = 1 << (W.bit_length() - 1)

    def join(o1, L1, o2, L2):
        m = torch.maximum(L1, L2)
        a, b = torch.exp(L1 - m)[..., None], torch.exp(L2 - m)[..., None]
        return (a * o1 + b * o2) / (a + b), m + torch.log(a + b)[..., 0]

    x = torch.cat([o, L[..., None]], -1)
    if r >= P:
        dist.send(x, r - P)
        dist.recv(x, r - P)
        return x[..., :-1], x[..., -1]
    y = torch.empty_like(x)
    if r + P < W:
        dist.recv(y, r + P)
        o, L = join(o, L, y[..., :-1], y[..., -1])
    step = 1
    while step < P:
        x = torch.cat([o, L[..., None]], -1)
        for job in [dist.isend(x, r ^ step), dist.irecv(y, r ^ step)]:
            job.wait()
        o, L = join(o, L, y[..., :-1], y[..., -1])
        step *= 2
    if r + P < W:
        dist.send(torch.cat([o, L[..., None]], -1), r + P)
    return o.clone(), L.clone()
