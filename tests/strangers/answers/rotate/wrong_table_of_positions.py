# Wrong: makes a table of cosines and sines for all positions up to the last one and looks up rows.
# Breaks: "no table of all positions up to the last where that lies far behind the N-th."
import torch


def rotate(x, positions, frequencies):
    if positions.numel() == 0:
        return x.clone()
    table = torch.arange(int(positions.max()) + 1)[:, None] * frequencies
    cos, sin = table.cos()[positions], table.sin()[positions]
    a, b = x.float().chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1).to(x.dtype)
