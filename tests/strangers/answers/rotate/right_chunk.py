# style: chunk, addcmul, angles in float64
import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    angle = positions.to(torch.float64)[:, None] * frequencies.to(torch.float64)[None, :]
    cos, sin = (f(angle).to(x.dtype) for f in (torch.cos, torch.sin))
    left, right = x.chunk(2, dim=-1)
    y = torch.empty(x.shape, dtype=x.dtype)
    y_left, y_right = y.chunk(2, dim=-1)
    torch.addcmul(left * cos, right, sin, value=-1, out=y_left)
    torch.addcmul(right * cos, left, sin, out=y_right)
    return y
