# a table of all positions between the smallest and the largest one, looked up by position
import torch
def rotate(x, positions, frequencies):
    if x.shape[-2] == 0:
        return x.clone()
    lo, hi = int(positions.min()), int(positions.max())
    a = torch.arange(lo, hi + 1).double()[:, None] * frequencies.double()
    c, s = torch.cos(a).float()[positions - lo], torch.sin(a).float()[positions - lo]
    h = x.shape[-1] // 2
    l, r = x[..., :h].float(), x[..., h:].float()
    return torch.cat([l * c - r * s, r * c + l * s], -1).to(x.dtype)
