# only the first position is read, the others are counted up from it: wrong where positions do not rise by 1
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    n, half = x.shape[-2], x.shape[-1] // 2
    angle = (positions[:1] + torch.arange(n)).float()[:, None] * frequencies
    cos, sin = angle.cos(), angle.sin()
    a, b = x[..., :half].float(), x[..., half:].float()
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1).to(x.dtype)
