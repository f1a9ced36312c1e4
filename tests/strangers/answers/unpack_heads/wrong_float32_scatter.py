# Scatters into an output made in the default dtype, so half precision and float64 rows come back as float32.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    B, kv_heads, n_rows, d = rows.shape
    g = heads // kv_heads
    o = torch.empty((B, heads, n_rows // g, d), device=rows.device)
    for kv in range(kv_heads):
        for r in range(n_rows):
            o[:, kv * g + r % g, r // g] = rows[:, kv, r]
    return o
