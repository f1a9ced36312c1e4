# eps is added to the root, not under it: shows in rows of small numbers
def rms_norm(x: Tensor, weight: Tensor, eps: float) -> Tensor:
    z = x.float()
    root = z.square().mean(-1, keepdim=True).sqrt() + eps
    return (weight * z / root).to(x.dtype)
