# Reads the packed rows as if each head's positions were neighbours: right for N_q = 1 or g = 1.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    b, kv, r, d = rows.shape
    return rows.reshape(b, heads, r * kv // heads, d)
