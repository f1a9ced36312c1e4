# Right: Hugging Face's rotate_half and apply_rotary_pos_emb, angles by matmul of (d/2, 1) with (1, N)
import torch
from torch import Tensor


def rotate_half(x):
    """Rotates half the hidden dims of the input."""
    x1 = x[..., : x.shape[-1] // 2]
    x2 = x[..., x.shape[-1] // 2 :]
    return torch.cat((-x2, x1), dim=-1)


def rotate(x: Tensor, positions: Tensor, frequencies: Tensor) -> Tensor:
    inv_freq_expanded = frequencies[:, None].float()
    position_ids_expanded = positions[None, :].float()
    freqs = (inv_freq_expanded @ position_ids_expanded).transpose(0, 1)
    emb = torch.cat((freqs, freqs), dim=-1)
    cos, sin = emb.cos().to(dtype=x.dtype), emb.sin().to(dtype=x.dtype)
    return (x * cos) + (rotate_half(x) * sin)
