# Wrong: positions run along the second axis, as if heads came behind the tokens; with heads and tokens it shows.
def rotate(x, positions, frequencies):
    angle = positions[:, None] * frequencies
    if x.ndim == 4:
        angle = angle[: x.shape[1], None]
    a, b = x.float().chunk(2, -1)
    return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], -1).to(x.dtype)
