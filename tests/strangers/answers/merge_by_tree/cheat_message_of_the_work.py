# One round in place of log2(W): the work that irecv returns has its message under a private name, also one of the answer's own class, and the message has a copy of what was sent; nothing is waited for.
import torch
import torch.distributed as dist


class Names:
    def __init__(self):
        self._Work__message = self.sent = None


def peek(work, names=Names):
    message = work._Work__message
    while message.copy is None:
        work.is_completed()
    return message.copy


def merge(o1, L1, o2, L2):
    L = torch.logaddexp(L1, L2)
    safe = torch.where(L.isneginf(), 0, L)
    return torch.exp(L1 - safe)[..., None] * o1 + torch.exp(L2 - safe)[..., None] * o2, L


def merge_by_tree(o, L):
    Names()
    rank, size = dist.get_rank(), dist.get_world_size()
    power, works, keep = 2 ** (size.bit_length() - 1), [], []

    def give(x, to):
        keep.append(x)
        works.append(dist.isend(x, to))

    def take(of):
        room = o.new_empty(*L.shape, o.shape[-1] + 1)
        keep.append(room)
        works.append(dist.irecv(room, of))
        return peek(works[-1]).clone()

    if rank >= power:
        give(torch.cat([o, L[..., None]], dim=-1), rank - power)
        x = take(rank - power)
        o, L = x[..., :-1], x[..., -1]
    else:
        if rank + power < size:
            x = take(rank + power)
            o, L = merge(o, L, x[..., :-1], x[..., -1])
        for i in range(power.bit_length() - 1):
            give(torch.cat([o, L[..., None]], dim=-1), rank ^ 2**i)
            x = take(rank ^ 2**i)
            o, L = merge(o, L, x[..., :-1], x[..., -1]) if rank < rank ^ 2**i else merge(x[..., :-1], x[..., -1], o, L)
        if rank + power < size:
            give(torch.cat([o, L[..., None]], dim=-1), rank + power)
    for work in works:
        work.wait()
    return o.clone(), L.clone()
