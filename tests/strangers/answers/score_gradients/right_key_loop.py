# One key after another, a column at a time.
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    ds = torch.zeros_like(p)
    delta = torch.linalg.vecdot(o, do)
    for j, value in enumerate(v):
        ds[:, j] = p[:, j] * (torch.mv(do, value) - delta)
    return ds
