# Every g-th row is a head: stacks slices with a step.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    g = heads // rows.size(1)
    return torch.stack([rows[:, h // g, h % g :: g] for h in range(heads)], dim=1)
