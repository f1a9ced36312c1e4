# counts the cache alone; Q and O are small beside it but have to move
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    return 4 * batch * heads * n * d, 2 * batch * kv_heads * n * d * itemsize
