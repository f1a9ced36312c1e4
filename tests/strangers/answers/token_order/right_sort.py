# Right: the rank of every token, then a stable argsort by rank and bincount for the borders.
import torch


def token_order(n, size, layout):
    tokens = torch.arange(n)
    match layout:
        case "stripe":
            rank = tokens % size
        case "zigzag":
            borders = n * torch.arange(2 * size + 1) // (2 * size)
            chunk = torch.repeat_interleave(torch.arange(2 * size), borders.diff())
            rank = torch.minimum(chunk, 2 * size - 1 - chunk)
        case _:
            raise ValueError(layout)
    order = torch.argsort(rank, stable=True)
    counts = torch.bincount(rank, minlength=size)
    starts = torch.cat((counts.new_zeros(1), counts.cumsum(0)))
    inverse = torch.empty_like(order).scatter_(0, order, tokens)
    return order, starts, inverse
