# each token's rank by arithmetic and searchsorted, a stable sort, counts for the starts
def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    """Which of n >= 1 tokens lie on which of `size` ranks, and the way back.

    layout "stripe": token i lies on rank i mod W. layout "zigzag": the sequence is cut into 2 W
    chunks, and rank r holds chunk r and, behind it, chunk 2 W - 1 - r; chunk c holds the tokens
    from n c // (2 W) up to, but not including, n (c + 1) // (2 W).
    Returns, all int64,
    order (n,): the tokens rank by rank, each rank's in the order of the sequence;
    starts (W + 1,): rank r holds order[starts[r]:starts[r + 1]];
    inverse (n,): where each token stands in `order`, so that x[order][inverse] is x.
    Arguments stay as they are, and results are new memory.
    """
    token = torch.arange(n)
    if layout == "stripe":
        rank = token.remainder(size)
    else:
        begins = torch.arange(2 * size + 1) * n // (2 * size)
        chunk = torch.searchsorted(begins, token, right=True) - 1
        rank = torch.minimum(chunk, 2 * size - 1 - chunk)
    order = torch.sort(rank, stable=True).indices
    counts = torch.bincount(rank, minlength=size)
    starts = torch.nn.functional.pad(counts.cumsum(0), (1, 0))
    inverse = torch.zeros_like(token).index_copy_(0, order, token)
    return order, starts, inverse
