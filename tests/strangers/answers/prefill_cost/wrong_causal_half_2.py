# Wrong: counts the pairs of a causal mask; "the n tokens of each prompt attend to each other". Shows for n > 1.


def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    pairs = n * (n + 1) // 2
    return 4 * batch * heads * pairs * d, 4 * batch * heads * n * d * itemsize
