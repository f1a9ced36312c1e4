# Builds the packed view with as_strided from strides that only a contiguous q has, so transposed or sliced queries come out scrambled.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    B, H, N, d = q.shape
    g = H // kv_heads
    view = torch.as_strided(
        q, (B, kv_heads, N, g, d), (H * N * d, g * N * d, d, N * d, 1), q.storage_offset()
    )
    return view.flatten(2, 3)
