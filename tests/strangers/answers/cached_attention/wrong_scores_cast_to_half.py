# The scores in bfloat16 to save memory.
import torch
from torch import Tensor


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    k, v = k_cache.narrow(2, 0, length), v_cache.narrow(2, 0, length)
    s = torch.einsum("bhid,bhjd->bhij", q * (d**-0.5 if scale is None else scale), k)
    s.masked_fill_(~torch.ones(n, length, dtype=torch.bool).tril_(length - n), -torch.inf)
    return torch.einsum("bhij,bhje->bhie", s.bfloat16().softmax(-1).float(), v)
