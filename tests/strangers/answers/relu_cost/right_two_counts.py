# two named counts
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    comparisons = n
    moved = (n + n) * itemsize
    return comparisons, moved
