# right: every head is a slice with step g, stacked
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    g = heads // rows.shape[1]

    def of_head(h):
        return rows.select(1, h // g)[:, h % g :: g]

    return torch.stack([of_head(h) for h in range(heads)], dim=1)
