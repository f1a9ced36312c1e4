# Unflatten with -1, movedim, flatten.
from torch import Tensor


def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    g = heads // rows.size(1)
    return rows.unflatten(2, (rows.size(2) // g, g)).movedim(3, 2).flatten(1, 2)
