# gives each token its rank and sorts by it, stably; edges are searched
def token_order(n, size, layout):
    tokens = torch.arange(n, dtype=torch.int64)
    if layout == "stripe":
        owner = tokens.remainder(size)
    elif layout == "zigzag":
        ends = torch.arange(1, 2 * size + 1, dtype=torch.int64) * n // (2 * size)
        chunk = torch.searchsorted(ends, tokens, right=True)
        owner = torch.minimum(chunk, 2 * size - 1 - chunk)
    else:
        raise ValueError(layout)
    order = torch.argsort(owner, stable=True)
    counts = torch.bincount(owner, minlength=size)
    starts = torch.nn.functional.pad(counts.cumsum(0), (1, 0))
    inverse = torch.zeros_like(order).scatter_(0, order, tokens)
    return order, starts, inverse
