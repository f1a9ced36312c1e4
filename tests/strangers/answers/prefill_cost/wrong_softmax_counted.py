# Wrong: adds the softmax's five operations for each score; "the products S = Q K^T and O = P V" alone count.


def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    flops = batch * heads * (2 * n * n * d + 5 * n * n + 2 * n * n * d)
    return flops, 4 * batch * heads * n * d * itemsize
