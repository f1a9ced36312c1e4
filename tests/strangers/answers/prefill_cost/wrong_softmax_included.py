# adds five operations per score for the softmax, which is left out of the flops
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    scores = batch * heads * n * n
    return scores * (4 * d + 5), 4 * batch * heads * n * d * itemsize
