# Counts a cache's write-allocate, fetching y before it is overwritten, as a third crossing: n itemsize bytes too many for every n > 0.
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    comparisons = n
    read_x = n * itemsize
    read_for_ownership = n * itemsize
    write_y = n * itemsize
    return comparisons, read_x + read_for_ownership + write_y
