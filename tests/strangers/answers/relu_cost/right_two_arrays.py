# Names the two arrays and multiplies plain Python integers.
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    read = write = n * itemsize
    return n, read + write
