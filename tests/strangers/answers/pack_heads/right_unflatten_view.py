# Style: reshaping only: split the head axis, swap, flatten; a view where strides allow.
from torch import Tensor


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    by_group = q.unflatten(1, (kv_heads, q.shape[1] // kv_heads))  # (B, H_kv, g, N_q, d)
    return by_group.transpose(2, 3).flatten(2, 3)
