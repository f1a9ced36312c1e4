# uses dP - delta = dO . (v_j - O), one key at a time
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    columns = [p[:, j] * (do * (value - o)).sum(dim=1) for j, value in enumerate(v)]
    return torch.stack(columns, dim=1)
