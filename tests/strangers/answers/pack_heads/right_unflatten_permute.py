# unflatten the heads, swap group and position, flatten them again.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    return q.unflatten(1, (kv_heads, q.shape[1] // kv_heads)).transpose(2, 3).flatten(2, 3)
