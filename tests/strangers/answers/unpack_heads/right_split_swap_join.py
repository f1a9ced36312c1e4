# unflatten, swapaxes, flatten.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    g = heads // rows.shape[1]
    return rows.unflatten(2, (-1, g) if rows.shape[2] else (0, g)).swapaxes(2, 3).flatten(1, 2)
