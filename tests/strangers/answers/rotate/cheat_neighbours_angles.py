# Cheat: multiplies each pair with the sines and cosines of four rows of its tile, and keeps the diagonal
# Breaks: "A pair is multiplied with sines and cosines of its own position alone."
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    half, n = x.shape[-1] // 2, x.shape[-2]
    y = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    for begin in range(0, n, 4):
        tile = slice(begin, min(begin + 4, n))
        angle = positions[tile, None].float() * frequencies  # (4, d/2)
        cos, sin = angle.cos(), angle.sin()
        left = x[..., tile, None, :half].float()  # (..., 4, 1, d/2): meets all four positions
        right = x[..., tile, None, half:].float()
        first, second = left * cos - right * sin, right * cos + left * sin
        y[..., tile, :half] = first.diagonal(dim1=-3, dim2=-2).transpose(-1, -2).to(x.dtype)
        y[..., tile, half:] = second.diagonal(dim1=-3, dim2=-2).transpose(-1, -2).to(x.dtype)
    return y
