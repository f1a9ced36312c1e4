# Takes d for the width of the whole model and divides it by the heads: with one head it agrees, with more both counts are too small by that factor.
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    head_dim = d // heads
    qk = 2 * n * n * head_dim
    pv = 2 * n * n * head_dim
    return batch * heads * (qk + pv), batch * heads * 4 * n * head_dim * itemsize
