# counts x * (x > 0), two operations for each number
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    return 2 * n, n * itemsize + n * itemsize
