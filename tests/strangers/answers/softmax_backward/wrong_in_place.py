# Subtracts the row sum from dp in place: the result is right, but the caller's gradient is changed.
def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    dp -= (p * dp).sum(-1, keepdim=True)
    return dp.mul(p)
