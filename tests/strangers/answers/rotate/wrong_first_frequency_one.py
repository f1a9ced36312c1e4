# the first frequency is taken to be 1 radian per token
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    angle = positions[:, None] * (frequencies / frequencies[0])
    cos, sin = torch.cos(angle), torch.sin(angle)
    first, second = x.float().chunk(2, dim=-1)
    turned = [first * cos - second * sin, second * cos + first * sin]
    return torch.cat(turned, dim=-1).to(x.dtype)
