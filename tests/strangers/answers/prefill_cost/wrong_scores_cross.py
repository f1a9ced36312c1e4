# lets S and P go to main memory and come back
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    rows = batch * heads * n
    return 4 * rows * n * d, itemsize * (4 * rows * d + 4 * rows * n)
