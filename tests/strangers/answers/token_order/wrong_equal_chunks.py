# Zigzag chunks all have ceil(n / 2W) tokens but the last, instead of the cuts at n c // (2W).
import torch


def token_order(n, size, layout):
    token = torch.arange(n)
    if layout == "stripe":
        owner = token % size
    else:
        chunk = token // -(-n // (2 * size))
        owner = torch.minimum(chunk, 2 * size - 1 - chunk)
    order = torch.argsort(owner, stable=True)
    starts = torch.zeros(size + 1, dtype=torch.int64)
    starts[1:] = torch.bincount(owner, minlength=size).cumsum(0)
    inverse = torch.empty_like(order)
    inverse[order] = token
    return order, starts, inverse
