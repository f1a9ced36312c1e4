# the butterfly begins with the partner that is farthest away; leftover ranks are those next to an even rank
import torch
import torch.distributed as dist


def merge_by_tree(o, L):
    rank, size = dist.get_rank(), dist.get_world_size()
    P = 1 << (size.bit_length() - 1)
    extra = size - P
    state = torch.cat([o, L.unsqueeze(-1)], dim=-1)

    def swap(x, peer):
        y = torch.empty_like(x)
        for r in dist.batch_isend_irecv([dist.P2POp(dist.irecv, y, peer), dist.P2POp(dist.isend, x, peer)]):
            r.wait()
        return y

    def both(x, y):
        oo, LL = merge(x[..., :-1], x[..., -1], y[..., :-1], y[..., -1])
        return torch.cat([oo, LL.unsqueeze(-1)], dim=-1)

    # ranks 0 .. 2 extra - 1 in pairs: the odd one hands its part to the even one
    if rank < 2 * extra and rank % 2:
        dist.send(state, rank - 1)
        dist.recv(state, rank - 1)
        return state[..., :-1].clone(), state[..., -1].clone()
    if rank < 2 * extra:
        theirs = torch.empty_like(state)
        dist.recv(theirs, rank + 1)
        state = both(state, theirs)
    virtual = rank // 2 if rank < 2 * extra else rank - extra
    bit = P // 2
    while bit:
        other = virtual ^ bit
        state = both(state, swap(state, 2 * other if other < extra else other + extra))
        bit //= 2
    if rank < 2 * extra:
        dist.send(state, rank + 1)
    return state[..., :-1].clone(), state[..., -1].clone()
