# Index arithmetic straight from the contract.
import torch
from torch import Tensor


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    b, h, n, d = q.shape
    g = h // kv_heads
    r = torch.arange(n * g)
    head = torch.arange(kv_heads)[:, None] * g + r % g
    return q[:, head, (r // g).expand(kv_heads, -1)]
