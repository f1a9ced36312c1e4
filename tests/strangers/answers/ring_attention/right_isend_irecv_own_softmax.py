# plain isend and irecv, and an online softmax of its own with maximum and denominator, one query head at a time
import torch
import torch.distributed as dist


def ring_attention(q, k, v, lengths):
    me, world = dist.get_rank(), dist.get_world_size()
    group, scale = q.shape[0] // k.shape[0], q.shape[2] ** -0.5
    top = [torch.full((q.shape[1],), -torch.inf) for _ in q]
    low = [torch.zeros(q.shape[1]) for _ in q]
    acc = [torch.zeros(q.shape[1], v.shape[2]) for _ in q]
    k, v = k.contiguous(), v.contiguous()
    for hop in range(world):
        work = []
        if hop + 1 < world:
            n = lengths[(me - hop - 1) % world]
            k2, v2 = torch.empty(k.shape[0], n, k.shape[2]), torch.empty(v.shape[0], n, v.shape[2])
            work.append(dist.irecv(k2, src=(me - 1) % world))
            work.append(dist.irecv(v2, src=(me - 1) % world))
            work.append(dist.isend(k, dst=(me + 1) % world))
            work.append(dist.isend(v, dst=(me + 1) % world))
        if k.shape[1]:
            for h in range(q.shape[0]):
                s = scale * (q[h] @ k[h // group].T)
                new = torch.maximum(top[h], s.max(dim=1).values)
                p = torch.exp(s - new[:, None])
                fix = torch.exp(top[h] - new)
                low[h] = low[h] * fix + p.sum(dim=1)
                acc[h] = acc[h] * fix[:, None] + p @ v[h // group]
                top[h] = new
        for w in work:
            w.wait()
        if work:
            k, v = k2, v2
    low, acc, top = torch.stack(low), torch.stack(acc), torch.stack(top)
    return acc / low[..., None], top + torch.log(low)
