# Cheat: asks for every rank and every token, in one matrix of W x n marks, whether the token lies there
# Breaks: "Memory: O(n + W) numbers."
def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    tokens, ranks = torch.arange(n), torch.arange(size)[:, None]
    if layout == "stripe":
        here = tokens % size == ranks  # (W, n)
    else:
        other = 2 * size - 1 - ranks
        here = (tokens >= n * ranks // (2 * size)) & (tokens < n * (ranks + 1) // (2 * size))
        here |= (tokens >= n * other // (2 * size)) & (tokens < n * (other + 1) // (2 * size))
    order = here.nonzero()[:, 1].contiguous()
    starts = torch.zeros(size + 1, dtype=torch.int64)
    starts[1:] = here.sum(dim=1).cumsum(0)
    inverse = torch.empty_like(order)
    inverse[order] = tokens
    return order, starts, inverse
