# A bare reshape, which lays the heads one after the other (head-major); right only for one query or groups of one.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    batch, heads, n_q, d = q.shape
    return q.reshape(batch, kv_heads, heads // kv_heads * n_q, d)
