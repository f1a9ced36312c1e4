# counts Q K^T and forgets P V
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    flops = batch * heads * (2 * n * n * d)
    moved = itemsize * batch * heads * n * d * 4
    return flops, moved
