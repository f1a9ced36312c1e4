# angles are computed in the dtype of x: with 16 bits the position 2049 is 2048
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    angle = positions.to(x.dtype)[:, None] * frequencies.to(x.dtype)
    cos, sin = angle.float().cos(), angle.float().sin()
    a, b = x.float().chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).to(x.dtype)
