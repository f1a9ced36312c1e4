# Wrong: fills a torch.empty of the default dtype, so float16, bfloat16 and float64 rows come back as float32; float32 is right.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    B, kv_heads, R, d = rows.shape
    g = heads // kv_heads
    n_q = R // g
    o = torch.empty((B, heads, n_q, d), device=rows.device)
    for h in range(heads):
        for i in range(n_q):
            o[:, h, i] = rows[:, h // g, i * g + h % g]
    return o
