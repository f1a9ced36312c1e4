# cosines and sines are rounded to the dtype of x, and products and sums are taken in it, as some ports do
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    angle = positions.float()[:, None] * frequencies
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)
