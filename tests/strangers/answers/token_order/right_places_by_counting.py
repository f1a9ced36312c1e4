# Right within its contract: up to eight ranks, how many tokens each has is counted in a table of W x n truth values (a byte each, together no more than one vector of int64).
# Breaks: "Memory: O(n + W) numbers."
def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    i = torch.arange(n)
    if layout == "stripe":
        rank = i % size
    else:
        borders = torch.arange(1, 2 * size) * n // (2 * size)
        chunk = torch.searchsorted(borders, i, right=True)
        rank = torch.minimum(chunk, 2 * size - 1 - chunk)
    order = torch.sort(rank, stable=True).indices
    starts = torch.zeros(size + 1, dtype=torch.int64)
    if size <= 8:
        on = rank == torch.arange(size)[:, None]  # (W, n) of one byte each
        starts[1:] = on.sum(dim=1).cumsum(0)
    else:
        starts[1:] = torch.bincount(rank, minlength=size).cumsum(0)
    inverse = torch.empty_like(order)
    inverse[order] = i
    return order, starts, inverse
