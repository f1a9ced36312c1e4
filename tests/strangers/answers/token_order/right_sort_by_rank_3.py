# turned round: first the rank of every token, then a stable sort by rank; chunks are found by bisection among the borders; right
def rank_of(n: int, size: int, layout: str) -> Tensor:
    token = torch.arange(n)
    if layout == "stripe":
        return token.remainder(size)
    borders = torch.arange(2 * size + 1) * n // (2 * size)
    chunk = torch.searchsorted(borders, token, right=True) - 1  # behind empty chunks
    return torch.minimum(chunk, 2 * size - 1 - chunk)


def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    rank = rank_of(n, size, layout)
    order = torch.sort(rank, stable=True).indices
    starts = torch.searchsorted(rank[order].contiguous(), torch.arange(size + 1))
    inverse = torch.zeros(n, dtype=torch.int64).scatter_(0, order, torch.arange(n))
    return order, starts, inverse
