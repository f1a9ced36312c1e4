"""The oracles of `cuda_flash_backward`."""

import torch
from torch import Tensor


def with_statistics(q: Tensor, k: Tensor, v: Tensor, block: int) -> tuple[Tensor, Tensor, Tensor]:
    """O, the maxima and the denominators, of all keys at once."""
    s = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    m = s.amax(dim=-1)
    p = torch.exp(s - m[..., None])
    l = p.sum(dim=-1)
    return p @ v / l[..., None], m, l
