# Uses as_strided with the strides of a fresh matrix: wrong numbers for rows that are a slice or a transposed view.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    b, kv, r, d = rows.shape
    g, n = heads // kv, r * kv // heads
    return rows.as_strided((b, kv, g, n, d), (kv * r * d, r * d, d, g * d, 1)).flatten(1, 2)
