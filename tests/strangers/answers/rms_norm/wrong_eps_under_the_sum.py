# eps is added to the sum of squares before it is divided by D
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    z = x.float()
    mean = (z.square().sum(-1, keepdim=True) + eps) / x.shape[-1]
    return (weight * z / mean.sqrt()).to(x.dtype)
