# Counts one head of one prompt (two matrix products by linear_cost, four matrices) and multiplies by the number of such heads.
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    scores, _ = linear_cost(n, d, n, itemsize)
    outputs, _ = linear_cost(n, n, d, itemsize)
    copies = batch * heads
    return copies * (scores + outputs), copies * 4 * n * d * itemsize
