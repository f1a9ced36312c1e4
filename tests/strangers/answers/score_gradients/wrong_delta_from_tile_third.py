# takes delta as the sum of P dP over the given keys: right only if these are all the keys, wrong for any part of them
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    dp = do @ v.T
    weighted = p * dp
    return weighted - p * weighted.sum(dim=1, keepdim=True)
