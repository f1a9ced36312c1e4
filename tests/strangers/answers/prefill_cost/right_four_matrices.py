# products of one head, then four matrices
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    one_product = 2 * n * n * d
    flops = batch * heads * 2 * one_product
    bytes_moved = 4 * (batch * heads * n * d) * itemsize
    return flops, bytes_moved
