# Right: names the group axis with unflatten, moves it behind the positions and merges both; a view where strides allow.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    g = q.size(1) // kv_heads
    by_group = q.unflatten(1, (kv_heads, g))
    return by_group.movedim(2, 3).flatten(2, 3)
