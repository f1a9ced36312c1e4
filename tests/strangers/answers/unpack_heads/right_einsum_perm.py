# style: torch.einsum as a permutation only, reshape
import torch
from torch import Tensor


def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    b, kv, m, d = rows.shape
    g = heads // kv
    return torch.einsum("b k n g d -> b k g n d", rows.unflatten(2, (m // g, g))).reshape(b, heads, m // g, d)
