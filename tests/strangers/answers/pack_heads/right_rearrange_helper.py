# Right: a small einops-like rearrange with a dictionary of sizes
import torch
from torch import Tensor


def rearrange(x: Tensor, axes: str, to: str) -> Tensor:
    """Permute named axes: rearrange(x, "b k g n d", "b k n g d")."""
    before = {name: i for i, name in enumerate(axes.split())}
    return x.permute(*(before[name] for name in to.split()))


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    """The queries of all heads that share a KV head, as rows of one matrix."""
    split = q.unflatten(1, (kv_heads, -1))
    return rearrange(split, "b k g n d", "b k n g d").flatten(2, 3)
