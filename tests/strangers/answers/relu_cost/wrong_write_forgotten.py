# counts the bytes of x only; y has to go to main memory too
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    x_bytes = n * itemsize
    return n, x_bytes
