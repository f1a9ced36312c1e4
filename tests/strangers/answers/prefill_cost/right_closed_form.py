# Style: the closed form, whole numbers only.


def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    flops = 4 * batch * heads * n * n * d
    bytes_moved = 4 * batch * heads * n * d * itemsize
    return flops, bytes_moved
