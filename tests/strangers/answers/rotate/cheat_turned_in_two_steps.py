# Cheat: each pair is turned twice, by the high and by the low part of its position.
# Breaks: "two products for each number of x, and half as many again"
import torch
def rotate(x, positions, frequencies):
    h = x.shape[-1] // 2
    l, r = x[..., :h].float(), x[..., h:].float()
    for part in (positions // 256 * 256, positions % 256):
        a = part.float()[:, None] * frequencies
        c, s = torch.cos(a), torch.sin(a)
        l, r = l * c - r * s, r * c + l * s
    return torch.cat([l, r], -1).to(x.dtype)
