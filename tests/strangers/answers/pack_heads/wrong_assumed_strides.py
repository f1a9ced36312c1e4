# Wrong: as_strided with the strides a contiguous (B, H, N_q, d) tensor would have, so a q that is a transposed or sliced view comes out scrambled; contiguous inputs are right.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    B, H, N, d = q.shape
    g = H // kv_heads
    size = (B, kv_heads, N, g, d)
    stride = (H * N * d, g * N * d, d, N * d, 1)
    return torch.as_strided(q, size, stride).reshape(B, kv_heads, N * g, d)
