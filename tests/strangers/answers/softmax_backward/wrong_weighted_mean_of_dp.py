# divides the weighted sum by the sum of the weights: right for every row that sums to 1, NaN for a row of zeros
def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    weighted_mean = (p * dp).sum(dim=-1, keepdim=True) / p.sum(dim=-1, keepdim=True)
    return p * (dp - weighted_mean)
