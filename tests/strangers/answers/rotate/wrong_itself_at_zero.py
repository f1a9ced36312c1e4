# rows at position 0 are not turned, so if there is no other position x itself is returned, no new memory
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    if not positions.any():
        return x
    angle = positions.float()[:, None] * frequencies
    cos, sin = angle.cos(), angle.sin()
    a, b = x.float().chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).to(x.dtype)
