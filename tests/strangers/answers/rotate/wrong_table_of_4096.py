# port of a server's cos/sin table for 4096 positions, later ones are clamped to its last row
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    table = torch.arange(4096).float()[:, None] * frequencies
    angle = table[positions.clamp(max=4095)]
    cos, sin = angle.cos(), angle.sin()
    a, b = x.float().chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).to(x.dtype)
