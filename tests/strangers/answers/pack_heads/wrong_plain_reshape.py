# Only reshapes, which puts all positions of a head below each other: right for N_q = 1 or g = 1.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    B, H, N, D = q.shape
    return q.reshape(B, kv_heads, (H // kv_heads) * N, D)
