# Right: complex numbers, torch.polar and one complex product (Meta's original Llama code, other pairs).
import torch


def rotate(x, positions, frequencies):
    half = x.shape[-1] // 2
    angles = torch.outer(positions.float(), frequencies.float())
    turns = torch.polar(torch.ones_like(angles), angles)
    wide = x.float()
    turned = torch.complex(wide[..., :half], wide[..., half:]) * turns
    return torch.cat([turned.real, turned.imag], dim=-1).to(x.dtype)
