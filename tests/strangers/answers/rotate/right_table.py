# Right within its contract: Sines and cosines of all positions up to the last one are put in a table and looked up, wherever the table is not much longer than the text.
import torch
from torch import Tensor


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    n, half = x.shape[-2], x.shape[-1] // 2
    last = int(positions.max()) + 1 if n else 0
    if last <= 4 * n:
        angles = torch.arange(last, dtype=torch.float32)[:, None] * frequencies
        cos, sin = torch.cos(angles)[positions], torch.sin(angles)[positions]
    else:
        angles = positions.float()[:, None] * frequencies
        cos, sin = torch.cos(angles), torch.sin(angles)
    a, b = x[..., :half].float(), x[..., half:].float()
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)
