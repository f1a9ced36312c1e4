# unflatten, transpose, flatten: named moves in place of reshape arithmetic
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    group = q.shape[1] // kv_heads
    by_group = q.unflatten(1, (kv_heads, group))  # (B, H_kv, g, N_q, d)
    return by_group.movedim(2, 3).flatten(2, 3)
