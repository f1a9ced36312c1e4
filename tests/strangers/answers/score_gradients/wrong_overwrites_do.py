# forms dO * O in place in do to save a temporary: the result is right, but the argument do is overwritten on every call
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    dp = torch.mm(do, v.t())
    delta = do.mul_(o).sum(dim=-1)
    dp.sub_(delta[:, None])
    return dp.mul_(p)
