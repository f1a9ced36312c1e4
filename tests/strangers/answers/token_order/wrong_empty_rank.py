# student's: torch.arange(r, n, W) raises for r > n; stripe with n = 2 on 4 ranks
def token_order(n, size, layout):
    if layout == "stripe":
        pieces = [torch.arange(r, n, size) for r in range(size)]
    else:
        edges = [n * c // (2 * size) for c in range(2 * size + 1)]
        chunks = [torch.arange(a, b) for a, b in zip(edges, edges[1:])]
        pieces = [torch.cat((chunks[r], chunks[-1 - r])) for r in range(size)]
    order = torch.cat(pieces)
    starts = torch.tensor([0] + [len(p) for p in pieces]).cumsum(0)
    return order, starts, torch.argsort(order)
