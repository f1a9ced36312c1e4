# two plain lines; the gradient of log softmax, dP - P sum dP, as in code for cross entropy; wrong in every case
def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    delta = dp.sum(dim=-1, keepdim=True)
    return dp - p * delta
