# Wrong: the lower rank of a pair sends and then receives, the other one first receives: two messages one after the other.
# Breaks: "both messages of an exchange are on their way at once."
import torch
import torch.distributed as dist
from torch import Tensor


def merge_by_tree(o: Tensor, L: Tensor) -> tuple[Tensor, Tensor]:
    """Attention over all ranks' keys, by messages between pairs of ranks.

    Runs on W ranks, W of any size, 1 included. Let P be the largest power of two that is not
    larger than W. (Other pairs will do, in as many rounds.)
    Rank r >= P sends what it has to rank r - P and gets the result from there at the end.
    Meanwhile ranks 0 to P - 1 merge: in round i = 0, 1, ..., log2(P) - 1 rank r and rank
    r XOR 2^i, whose numbers differ in binary digit i, exchange what they have, and both
    merge it.

    o: (B, H, d_v), L: (B, H) float32, with any strides: attention over this rank's keys; 0 and
    -inf where it has none.
    Returns o (B, H, d_v), L (B, H) over all ranks' keys, in new memory (views of what was sent
    will do), same dtype, bit for bit the same on every rank; 0 and -inf for a sequence of which
    no rank has a key.
    Messages: one for each round, o and L in one tensor. No collective, nor a barrier.
    Time: log2(P) rounds of messages, and two more if W is not P; both messages of an exchange
    are on their way at once.
    Forbidden: all_reduce, all_gather, barrier. It stays within torch and Python, without
    tolist of floating-point numbers. Arguments stay as they are, and results are new
    memory.
    """
    rank, size = dist.get_rank(), dist.get_world_size()
    P = 1 << (size.bit_length() - 1)
    both = torch.cat([o, L[..., None]], dim=-1).contiguous()
    other = torch.empty_like(both)
    if rank >= P:
        dist.send(both, rank - P)
        dist.recv(both, rank - P)
    else:
        if rank + P < size:
            dist.recv(other, rank + P)
            o, L = merge(both[..., :-1], both[..., -1], other[..., :-1], other[..., -1])
            both = torch.cat([o, L[..., None]], dim=-1)
        step = 1
        while step < P:
            peer = rank ^ step
            if rank < peer:
                dist.send(both, peer)
                dist.recv(other, peer)
            else:
                dist.recv(other, peer)
                dist.send(both, peer)
            o, L = merge(both[..., :-1], both[..., -1], other[..., :-1], other[..., -1])
            both = torch.cat([o, L[..., None]], dim=-1)
            step *= 2
        if rank + P < size:
            dist.send(both, rank + P)
    o, L = both[..., :-1], both[..., -1]
    return o.clone(), L.clone()
