# port of Gemma's norm, whose weight is kept less one: the factor is 1 + weight
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    z = x.float()
    z = z * torch.rsqrt(z.pow(2).mean(-1, keepdim=True) + eps)
    return (z * (1.0 + weight)).to(x.dtype)
