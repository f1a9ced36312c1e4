# Takes the packed view with as_strided and computed strides of a contiguous tensor: wrong rows for a transposed (B, N, H, d) tensor or any slice.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    B, H, n, d = q.shape
    g = H // kv_heads
    strides = (H * n * d, g * n * d, d, n * d, 1)
    return q.as_strided((B, kv_heads, n, g, d), strides).reshape(B, kv_heads, n * g, d)
