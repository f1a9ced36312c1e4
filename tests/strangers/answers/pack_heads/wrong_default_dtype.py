# Wrong: allocates the rows with torch.zeros and no dtype, so float16, bfloat16 and float64 queries come back as float32; the order of the rows is right.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    batch, heads, n_q, d = q.shape
    g = heads // kv_heads
    rows = torch.zeros((batch, kv_heads, n_q * g, d))
    for kv in range(kv_heads):
        for r in range(n_q * g):
            rows[:, kv, r] = q[:, kv * g + r % g, r // g]
    return rows
