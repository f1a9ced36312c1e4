# style: complex numbers: a pair is a point, the turn a product
import torch


def rotate(x, positions, frequencies):
    turn = torch.polar(torch.ones(len(positions), len(frequencies)), torch.outer(positions.float(), frequencies.float()))
    half = x.shape[-1] // 2
    points = torch.complex(x[..., :half].float(), x[..., half:].float()) * turn
    return torch.cat([points.real, points.imag], dim=-1).to(x.dtype)
