# Right: numpy-flavoured swapaxes and reshape with -1, a local assert
from torch import Tensor


def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    batch, kv_heads, _, d = rows.shape
    g, rest = divmod(heads, kv_heads)
    assert not rest, "H is a multiple of H_kv"
    return rows.reshape(batch, kv_heads, rows.shape[2] // g, g, d).swapaxes(2, 3).reshape(batch, heads, -1, d)
