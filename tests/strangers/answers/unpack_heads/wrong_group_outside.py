# Wrong: merges the axes in the order (g, H_kv), so output head r * H_kv + kv holds what belongs to head kv * g + r; right only for g = 1 or H_kv = 1.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    b, kv, r, d = rows.shape
    group = heads // kv
    x = rows.reshape(b, kv, r // group, group, d)
    x = x.permute(0, 3, 1, 2, 4)
    return x.reshape(b, heads, r // group, d)
