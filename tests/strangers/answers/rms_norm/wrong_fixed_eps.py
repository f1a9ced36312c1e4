# eps is 1e-6 as in most configurations, the argument is not read
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    z = x.float()
    return (weight * z * (z.pow(2).mean(-1, keepdim=True) + 1e-6).rsqrt()).to(x.dtype)
