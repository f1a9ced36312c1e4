# Wrong: a reshape to (B, H_kv, N_q g, d), which puts head after head and not position after position.
# Breaks: "row r of KV head kv is position r // g of query head kv g + r % g".
def pack_heads(q, kv_heads):
    B, H, N, d = q.shape
    return q.reshape(B, kv_heads, N * (H // kv_heads), d)
