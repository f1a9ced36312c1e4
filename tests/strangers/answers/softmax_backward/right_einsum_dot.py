# Row products by einsum, then one multiplication.
def softmax_backward(p: Tensor, dp: Tensor) -> Tensor:
    mean = torch.einsum("ij,ij->i", p, dp)
    return p * (dp - mean.unsqueeze(-1))
