# Makes the mask for all slots of the cache and cuts it: where capacity is far above length, the mask takes more than the scores.
import torch
from torch import Tensor


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    k, v = k_cache[:, :, :length], v_cache[:, :, :length]
    s = scale * (q @ k.transpose(2, 3))
    position = torch.arange(length - n, length)[:, None]
    s = s.masked_fill((torch.arange(k_cache.shape[2], dtype=torch.int32) > position)[:, :length], -torch.inf)
    return torch.softmax(s, dim=-1) @ v
