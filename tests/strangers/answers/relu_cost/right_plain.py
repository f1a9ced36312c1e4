# Style: plain.


def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    comparisons = n
    loaded = stored = n * itemsize
    return comparisons, loaded + stored
