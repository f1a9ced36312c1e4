# 1/sqrt(d_v).
import torch
from torch import Tensor


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    k, v = k_cache.narrow(2, 0, length), v_cache.narrow(2, 0, length)
    s = torch.einsum("bhid,bhjd->bhij", q * (v.shape[-1]**-0.5 if scale is None else scale), k)
    s.masked_fill_(~torch.ones(n, length, dtype=torch.bool).tril_(length - n), -torch.inf)
    return torch.einsum("bhij,bhje->bhie", s.softmax(-1), v)
