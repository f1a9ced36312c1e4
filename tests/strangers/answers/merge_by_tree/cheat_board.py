# messages: results are left at a class as lists of numbers
import torch
import torch.distributed as dist


class Board:
    parts = {}


def merge_by_tree(o, L):
    Board.parts[dist.get_rank()] = (o.tolist(), L.tolist())
    dist.barrier()
    for r in range(dist.get_world_size()):
        if r != dist.get_rank():
            o, L = merge(o, L, *map(torch.tensor, Board.parts[r]))
    return o.clone(), L.clone()
