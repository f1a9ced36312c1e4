# right: a helper for one matrix product, twice, times the heads of all prompts; four matrices of bytes.
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    def product(rows, inner, columns):
        return 2 * rows * inner * columns

    units = batch * heads
    flops = units * (product(n, d, n) + product(n, n, d))
    tensors = dict.fromkeys("QKVO", n * d * itemsize)
    return flops, units * sum(tensors.values())
