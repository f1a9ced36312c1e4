# As in Hugging Face's code: cosines and sines are doubled in width and x is added to its rotated half.
import torch
from torch import Tensor


def _rotate_half(x: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), dim=-1)


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    angles = positions[:, None].float() * frequencies[None, :]
    angles = torch.cat((angles, angles), dim=-1)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    return x * cos + _rotate_half(x) * sin
