# where a token stands is how many stand before it: n x n comparisons
import torch
def token_order(n, size, layout):
    i = torch.arange(n)
    if layout == "stripe":
        rank = i % size
    else:
        c = torch.zeros(n, dtype=torch.int64)
        for j in range(2 * size):
            c[n * j // (2 * size):n * (j + 1) // (2 * size)] = j
        rank = torch.minimum(c, 2 * size - 1 - c)
    key = rank * n + i
    inverse = (key[None] < key[:, None]).sum(1)
    order = torch.zeros(n, dtype=torch.int64)
    order[inverse] = i
    starts = (rank[None] < torch.arange(size + 1)[:, None]).sum(1)
    return order, starts, inverse
