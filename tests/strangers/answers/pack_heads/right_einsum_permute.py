# An einsum that only permutes axes, then flatten.
import torch
from torch import Tensor


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    grouped = q.unflatten(1, (kv_heads, q.shape[1] // kv_heads))
    return torch.einsum("bkgnd->bkngd", grouped).flatten(2, 3)
