# the second half is computed from the first half that is turned already
def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    angle = positions.float()[:, None] * frequencies
    y = x.float().clone()
    y[..., :half] = y[..., :half] * angle.cos() - y[..., half:] * angle.sin()
    y[..., half:] = y[..., half:] * angle.cos() + y[..., :half] * angle.sin()
    return y.to(x.dtype)
