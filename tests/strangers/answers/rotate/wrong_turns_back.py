# the sign of the sine is the other one: rows are turned by minus the angle, which no score of its own rows shows
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    angle = positions.float()[:, None] * frequencies
    cos, sin = angle.cos(), angle.sin()
    a, b = x.float().chunk(2, -1)
    return torch.cat([a * cos + b * sin, b * cos - a * sin], -1).to(x.dtype)
