# Wrong: turns its argument in place, so that the second half is made from a first one that has turned, and x is lost.
def rotate(x, positions, frequencies):
    h = x.shape[-1] // 2
    angle = positions[:, None] * frequencies
    x[..., :h] = x[..., :h] * angle.cos() - x[..., h:] * angle.sin()
    x[..., h:] = x[..., h:] * angle.cos() + x[..., :h] * angle.sin()
    return x
