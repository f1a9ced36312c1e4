# Right: head h is every g-th row of its KV head, from row h % g on.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    g = heads // rows.size(1)

    def of_head(h):
        kv, r = divmod(h, g)
        return rows.select(1, kv)[:, r::g]

    return torch.stack([of_head(h) for h in range(heads)], 1)
