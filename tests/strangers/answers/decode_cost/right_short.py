# style: two lines
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    flops = 4 * batch * heads * n * d
    return flops, 2 * batch * (heads + kv_heads * n) * d * itemsize
