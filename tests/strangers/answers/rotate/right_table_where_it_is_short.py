# As in Llama's ports: cos and sin of all positions where the last one is near, of those that are asked elsewhere.
import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    if len(positions) == 0:
        return x.clone()
    last = int(positions.max())
    if last < 4 * len(positions) + 32:
        angle = torch.arange(last + 1)[:, None].float() * frequencies
        cos, sin = angle.cos()[positions], angle.sin()[positions]
    else:
        angle = positions[:, None].float() * frequencies
        cos, sin = angle.cos(), angle.sin()
    a, b = x.float().chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)
