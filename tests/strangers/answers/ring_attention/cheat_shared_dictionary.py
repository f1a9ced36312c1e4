# bytes and memory: keys and values are left in a dictionary that all ranks would share if they shared their names
import torch
import torch.distributed as dist

EVERYONES = {}


def ring_attention(q, k, v, lengths):
    EVERYONES[dist.get_rank()] = k, v
    dist.barrier()
    o, L = attend(q, k, v)
    for rank in range(dist.get_world_size()):
        if rank != dist.get_rank():
            o, L = merge(o, L, *attend(q, *EVERYONES[rank]))
    return o, L
