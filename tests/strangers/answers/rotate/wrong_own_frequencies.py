# frequencies are computed from base 10000 and the width, the argument is not read
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    d = x.shape[-1]
    own = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float32) / d)
    angle = torch.outer(positions.float(), own)
    cos, sin = torch.cat([angle, angle], -1).cos(), torch.cat([angle, angle], -1).sin()
    half = torch.cat([-x[..., d // 2 :], x[..., : d // 2]], -1)
    return (x.float() * cos + half.float() * sin).to(x.dtype)
