# unflatten rows into (position, head), swap, merge the head axes.
def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    g = heads // rows.shape[1]
    return rows.unflatten(2, (-1, g)).transpose(2, 3).flatten(1, 2)
