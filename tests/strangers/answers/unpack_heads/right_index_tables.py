# Right: two small index tables, one for the KV head of a head and one for the row of a position, and one indexing operation.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    kv_heads, packed = rows.shape[1:3]
    g = heads // kv_heads
    head = torch.arange(heads, device=rows.device)[:, None]
    position = torch.arange(packed // g, device=rows.device)[None, :]
    return rows[:, head // g, position * g + head % g]
