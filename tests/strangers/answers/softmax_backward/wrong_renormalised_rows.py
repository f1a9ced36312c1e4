# Normalises p once more "to be safe": a row of zeros becomes 0 / 0 = NaN.
def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    p = p / p.sum(dim=-1, keepdim=True)
    delta = torch.sum(p * dp, dim=-1, keepdim=True)
    return p * (dp - delta)
