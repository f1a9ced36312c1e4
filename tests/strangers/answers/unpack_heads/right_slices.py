# every head is a slice: the rows of its KV head from h % g on, in steps of g; right
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    g = heads // rows.shape[1]
    return torch.stack([rows[:, h // g, h % g :: g] for h in range(heads)], dim=1)
