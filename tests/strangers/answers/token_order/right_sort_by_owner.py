# owner of every token by a formula, stable sort, counts by bincount, inverse by scatter; keeps the contract
def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    token = torch.arange(n)
    if layout == "stripe":
        owner = token % size
    else:
        borders = torch.tensor([n * c // (2 * size) for c in range(1, 2 * size)], dtype=torch.int64)
        chunk = torch.searchsorted(borders, token, right=True)
        owner = torch.minimum(chunk, 2 * size - 1 - chunk)
    order = torch.sort(owner, stable=True).indices
    starts = torch.zeros(size + 1, dtype=torch.int64)
    starts[1:] = torch.bincount(owner, minlength=size).cumsum(0)
    inverse = torch.empty(n, dtype=torch.int64).scatter_(0, order, token)
    return order, starts, inverse
