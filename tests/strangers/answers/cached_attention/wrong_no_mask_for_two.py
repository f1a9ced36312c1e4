# No mask for up to two new tokens.
import torch
from torch import Tensor


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    k, v = k_cache.narrow(2, 0, length), v_cache.narrow(2, 0, length)
    s = torch.einsum("bhid,bhjd->bhij", q * (d**-0.5 if scale is None else scale), k)
    if n > 1 and not (n == 2 and length > 8):
        s.masked_fill_(~torch.ones(n, length, dtype=torch.bool).tril_(length - n), -torch.inf)
    return torch.einsum("bhij,bhje->bhie", s.softmax(-1), v)
