# Advanced indexing: row i g + h % g of KV head h // g for every head and position.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    g = heads // rows.shape[1]
    h = torch.arange(heads, device=rows.device)[:, None]
    i = torch.arange(rows.shape[2] // g, device=rows.device)
    return rows[:, h // g, i * g + h % g]
