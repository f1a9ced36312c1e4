# Right: a loop over pairs that writes both columns of each into a new tensor.
def rotate(x, positions, frequencies):
    y = torch.empty_like(x)
    c = x.shape[-1] // 2
    for i in range(c):
        a = positions.float() * frequencies[i]
        one, two = x[..., i].float(), x[..., i + c].float()
        y[..., i] = (one * a.cos() - two * a.sin()).to(x.dtype)
        y[..., i + c] = (two * a.cos() + one * a.sin()).to(x.dtype)
    return y
