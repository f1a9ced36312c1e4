# the root mean square by linalg.vector_norm, in float64
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    wide = x.double()
    mean_square = torch.linalg.vector_norm(wide, dim=-1, keepdim=True).square() / x.shape[-1]
    return (wide * torch.rsqrt(mean_square + eps) * weight).to(x.dtype)
