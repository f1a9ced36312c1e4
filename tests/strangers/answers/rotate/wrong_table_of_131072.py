# cosines and sines of 131,072 positions, as many as a long context has; later ones are clamped to the last
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    angle = torch.arange(131072)[:, None] * frequencies
    angle = angle[positions.clamp(max=131071)]
    cos, sin = torch.cos(angle), torch.sin(angle)
    first, second = x.float().chunk(2, dim=-1)
    turned = [first * cos - second * sin, second * cos + first * sin]
    return torch.cat(turned, dim=-1).to(x.dtype)
