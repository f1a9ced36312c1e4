# Right: Hugging Face, rotate_half with cos and sin doubled.
import torch
from torch import Tensor


def rotate_half(x: Tensor) -> Tensor:
    """Rotates half the hidden dims of the input."""
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    freqs = positions[:, None].float() * frequencies[None, :].float()
    emb = torch.cat((freqs, freqs), dim=-1)
    cos, sin = emb.cos(), emb.sin()
    x_float = x.float()
    return (x_float * cos + rotate_half(x_float) * sin).to(x.dtype)
