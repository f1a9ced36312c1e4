# the rank of each token from a formula, then a stable sort
import torch


def token_order(n, size, layout):
    i = torch.arange(n)
    if layout == "stripe":
        rank = i % size
    else:
        ends = torch.tensor([n * (c + 1) // (2 * size) for c in range(2 * size)])
        chunk = torch.searchsorted(ends, i, right=True)
        rank = torch.minimum(chunk, 2 * size - 1 - chunk)
    order = torch.sort(rank, stable=True).indices
    starts = torch.zeros(size + 1, dtype=torch.int64)
    starts[1:] = torch.bincount(rank, minlength=size).cumsum(0)
    inverse = torch.empty_like(order)
    inverse[order] = i
    return order, starts, inverse
