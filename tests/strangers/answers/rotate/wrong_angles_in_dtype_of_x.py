# Wrong: positions and frequencies go to the dtype of x before they are multiplied.
# Breaks: "Angles are computed in float32 or wider, whatever the dtype of x is".
import torch


def rotate(x, positions, frequencies):
    angles = positions.to(x.dtype)[:, None] * frequencies.to(x.dtype)
    cos = torch.cat([angles.cos(), angles.cos()], dim=-1)
    sin = torch.cat([angles.sin(), angles.sin()], dim=-1)
    half = x.shape[-1] // 2
    rotated = torch.cat([-x[..., half:], x[..., :half]], dim=-1)
    return x * cos + rotated * sin
