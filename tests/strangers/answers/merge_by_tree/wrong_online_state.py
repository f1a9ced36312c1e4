# carries numerator, maximum and denominator on, and sends them divided: a rank has its own part unrounded and the others have it rounded, so that the bits differ from rank to rank
import torch
import torch.distributed as dist


def merge_by_tree(o, L):
    me, world = dist.get_rank(), dist.get_world_size()
    b, h, d = o.shape
    m, l, acc = L.reshape(b, h, 1), torch.ones(b, h, 1), o.reshape(b, h, d)
    l = torch.where(m == -torch.inf, torch.zeros(()), l)

    def add(m, l, acc, other):
        m2, l2, acc2 = other[..., :1], other[..., 1:2], other[..., 2:]
        top = torch.maximum(m, m2)
        safe = torch.where(top == -torch.inf, torch.zeros(()), top)
        a, c = torch.exp(m - safe), torch.exp(m2 - safe)
        return top, a * l + c * l2, a * acc + c * acc2

    def normal(m, l, acc):
        safe = torch.where(l == 0, torch.ones(()), l)
        return m + torch.log(l), torch.where(l == 0, l, torch.ones(())), acc / safe

    def pack(m, l, acc):
        m, l, acc = normal(m, l, acc)
        return torch.cat([m, acc], dim=-1)

    def unpack(x):
        m, acc = x[..., :1], x[..., 1:]
        return torch.cat([m, (m > -torch.inf).float(), acc], dim=-1)

    p = 1
    while 2 * p <= world:
        p *= 2
    buffer = torch.empty(b, h, d + 1)
    if me >= p:
        dist.send(pack(m, l, acc), me - p)
        dist.recv(buffer, me - p)
        return buffer[..., 1:].clone(), buffer[..., 0].clone()
    if me < world - p:
        dist.recv(buffer, me + p)
        m, l, acc = add(m, l, acc, unpack(buffer))
    step = 1
    while step < p:
        mine = pack(m, l, acc)
        job = dist.isend(mine, me ^ step)
        dist.recv(buffer, me ^ step)
        job.wait()
        m, l, acc = add(m, l, acc, unpack(buffer))
        step <<= 1
    if me < world - p:
        dist.send(pack(m, l, acc), me + p)
    m, l, acc = normal(m, l, acc)
    return acc.clone(), m[..., 0].clone()
