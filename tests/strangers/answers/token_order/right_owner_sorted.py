# right: the owner of each token is computed, and a stable sort by owner is the order
def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    """Which tokens lie on which rank, and the way back."""
    token = torch.arange(n)
    if layout == "stripe":
        owner = token % size
    else:
        ends = n * torch.arange(1, 2 * size + 1) // (2 * size)
        chunk = torch.searchsorted(ends, token, right=True)  # how many chunks end before it
        owner = torch.minimum(chunk, 2 * size - 1 - chunk)
    order = torch.argsort(owner, stable=True)
    starts = torch.zeros(size + 1, dtype=torch.int64)
    torch.cumsum(torch.bincount(owner, minlength=size), 0, out=starts[1:])
    inverse = torch.empty_like(order)
    inverse[order] = token
    return order, starts, inverse
