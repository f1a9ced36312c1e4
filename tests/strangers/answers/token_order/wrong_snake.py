# zigzag: a snake that turns at every W tokens instead of chunks
import torch


def token_order(n, size, layout):
    i = torch.arange(n)
    rank = i % size
    if layout == "zigzag":
        rank = torch.where((i // size) % 2 == 0, rank, size - 1 - rank)
    order = torch.argsort(rank, stable=True)
    starts = torch.cat([torch.zeros(1, dtype=torch.long), torch.bincount(rank, minlength=size).cumsum(0)])
    return order, starts, order.argsort()
