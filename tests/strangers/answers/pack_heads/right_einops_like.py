# Right: unflatten, movedim, flatten, as in einops: "b (k g) n d -> b k (n g) d"
from torch import Tensor


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    return q.unflatten(1, (kv_heads, -1)).movedim(2, 3).flatten(start_dim=2, end_dim=3)
