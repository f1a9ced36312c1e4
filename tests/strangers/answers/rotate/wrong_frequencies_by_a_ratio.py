# frequencies are made anew from the ratio of the first two
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    ratio = frequencies[1] / frequencies[0] if len(frequencies) > 1 else 1.0
    angle = positions[:, None] * frequencies[0] * ratio ** torch.arange(len(frequencies))
    cos, sin = torch.cos(angle), torch.sin(angle)
    first, second = x.float().chunk(2, dim=-1)
    turned = [first * cos - second * sin, second * cos + first * sin]
    return torch.cat(turned, dim=-1).to(x.dtype)
