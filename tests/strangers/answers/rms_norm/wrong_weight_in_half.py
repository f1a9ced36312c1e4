# the weight is rounded to 16 bits first, and the last product is taken in 16 bits
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    z = x.float()
    z = z * (z.pow(2).mean(-1, keepdim=True) + eps).rsqrt()
    return z.to(x.dtype) * weight.to(x.dtype)
