# Right: ported from Hugging Face: rotate_half, cos and sin of both halves, double angles
import torch
from torch import Tensor


def rotate_half(x):
    """Rotates half the hidden dims of the input."""
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    """Rotary position embedding: pairs of a row's numbers turned by position times frequency."""
    freqs = positions.double()[:, None] * frequencies.double()[None, :]
    emb = torch.cat((freqs, freqs), dim=-1)
    cos, sin = emb.cos().to(dtype=x.dtype), emb.sin().to(dtype=x.dtype)
    x_embed = (x * cos) + (rotate_half(x) * sin)
    return x_embed
