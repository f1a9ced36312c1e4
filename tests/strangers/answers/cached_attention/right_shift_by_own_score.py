# Right within its contract: each query's score with its own key is computed a second time, as the number that is subtracted
import torch
from torch import Tensor


class CacheFull(Exception):
    """More tokens were handed to a cache than it has room for."""


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    s = scale * (q @ k_cache[:, :, :length].transpose(2, 3))
    s.masked_fill_(torch.arange(length) > torch.arange(length - n, length)[:, None], -torch.inf)
    own = scale * torch.linalg.vecdot(q, k_cache[:, :, length - n : length])
    # the maximum of the rest above the own score, clamped: no second look at all of s
    top = own[..., None] + (s - own[..., None]).amax(dim=-1, keepdim=True).clamp(min=0)
    p = torch.exp(s - top)
    return (p @ v_cache[:, :, :length]) / p.sum(dim=-1, keepdim=True)
