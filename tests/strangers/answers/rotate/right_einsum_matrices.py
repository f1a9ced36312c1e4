# An einsum addict: every pair is a vector of 2 that is multiplied with its own 2 x 2 rotation matrix.
import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    angles = torch.einsum("n,c->nc", positions.double(), frequencies.double())
    cos, sin = angles.cos().float(), angles.sin().float()
    turn = torch.stack((torch.stack((cos, -sin)), torch.stack((sin, cos))))
    pairs = x.float().unflatten(-1, (2, x.shape[-1] // 2))
    return torch.einsum("abnc,...nbc->...nac", turn, pairs).flatten(-2).to(x.dtype)
