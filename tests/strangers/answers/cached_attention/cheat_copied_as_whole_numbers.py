# copied ("the cache is read where it lies"): copies count where inputs are real: the slots of each head are taken for whole numbers of 32 bits, which are cloned, and taken for floats again
import torch
from torch import Tensor


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    batch, heads, n, d = q.shape
    scale = d**-0.5 if scale is None else scale
    o = q.new_zeros(batch, heads, n, v_cache.shape[3])
    position = torch.arange(length - n, length)[:, None]
    for b in range(batch):
        for h in range(heads):
            k = k_cache[b, h, :length].view(torch.int32).clone().view(torch.float32)
            s = scale * (q[b, h] @ k.T)
            del k
            s = s.masked_fill(torch.arange(length) > position, -torch.inf)
            v = v_cache[b, h, :length].view(torch.int32).clone().view(torch.float32)
            o[b, h] = torch.softmax(s, dim=-1) @ v
    return o
