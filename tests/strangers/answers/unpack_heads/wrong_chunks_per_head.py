# Cuts the rows of a KV head into g consecutive chunks as if they were head-major; right only for one position or groups of one.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    g = heads // rows.shape[1]
    pieces = []
    for kv in range(rows.shape[1]):
        pieces.extend(rows[:, kv].chunk(g, dim=1))
    return torch.stack(pieces, dim=1)
