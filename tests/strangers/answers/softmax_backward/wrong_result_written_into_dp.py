# takes the mean away in place and returns the caller's own dp: the values are right, but dp is overwritten and the result is not new memory
def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    dp -= (p * dp).sum(-1, keepdim=True)
    dp *= p
    return dp
