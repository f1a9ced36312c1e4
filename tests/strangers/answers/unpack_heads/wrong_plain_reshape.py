# Wrong: reshapes without exchanging position and head, so that rows of one head become positions of another; right for N_q = 1 or groups of one, shapes are always right.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    batch, kv_heads, _, d = rows.shape
    group = heads // kv_heads
    per_group = rows.reshape(batch, kv_heads, group, -1, d)
    return per_group.reshape(batch, heads, -1, d)
