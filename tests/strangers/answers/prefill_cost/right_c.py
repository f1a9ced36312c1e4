# style: C programmer: accumulates in loops with explicit counters
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    flops = 0
    bytes_moved = 0
    matrix = n * d
    which = 0
    while which < 4:  # Q, K, V, O
        bytes_moved += batch * heads * matrix * itemsize
        which += 1
    gemm = 2 * n * n * d
    for _ in range(2):  # S = Q K^T, O = P V
        flops += batch * heads * gemm
    return flops, bytes_moved
