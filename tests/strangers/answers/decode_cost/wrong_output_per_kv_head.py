# takes Q and O with kv_heads rows like the cache
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    rows = batch * kv_heads * d
    return 4 * batch * heads * n * d, itemsize * 2 * rows * (n + 1)
