# Counts the cache line of y as read before it is written (write allocate), three transfers per number in place of two, on every input.
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    read_x = n * itemsize
    fetch_y = n * itemsize
    write_y = n * itemsize
    return n, read_x + fetch_y + write_y
