# the result stays float32 where x has 16 bits
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    z = x.float()
    return weight * z * (z.pow(2).mean(-1, keepdim=True) + eps).rsqrt()
