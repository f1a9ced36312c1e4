# Right: new memory, into which the j-th heads of all groups are written as every g-th row.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    batch, heads, n_q, d = q.shape
    g = heads // kv_heads
    rows = q.new_empty(batch, kv_heads, n_q * g, d)
    for j in range(g):
        rows[:, :, j::g] = q[:, j::g]
    return rows
