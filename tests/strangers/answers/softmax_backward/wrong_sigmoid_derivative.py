# Uses the diagonal of the Jacobian only, p (1 - p) dp, the derivative of a sigmoid.
def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    return dp * p * (1.0 - p)
