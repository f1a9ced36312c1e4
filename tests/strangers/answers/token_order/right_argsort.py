# who owns each token, then one stable argsort; bincount and cumsum for the starts
def token_order(n: int, size: int, layout: str) -> tuple[Tensor, Tensor, Tensor]:
    token = torch.arange(n)
    match layout:
        case "stripe":
            owner = token % size
        case "zigzag":
            cuts = torch.tensor([n * c // (2 * size) for c in range(1, 2 * size)])
            chunk = torch.bucketize(token, cuts, right=True)
            owner = torch.minimum(chunk, 2 * size - 1 - chunk)
        case _:
            raise ValueError(layout)
    order = owner.argsort(stable=True)
    counts = owner.bincount(minlength=size)
    starts = torch.cat([counts.new_zeros(1), counts.cumsum(0)])
    inverse = torch.empty_like(order)
    inverse[order] = token
    return order, starts, inverse
