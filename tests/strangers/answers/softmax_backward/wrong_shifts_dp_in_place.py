# subtracts the row number from dp in place: the result is right, but the argument dp is changed for every input
def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    dp -= (p * dp).sum(dim=-1, keepdim=True)
    return p * dp
