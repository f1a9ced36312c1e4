# Knows float32 and takes everything else for 2-byte numbers: wrong bytes for itemsize 1 (fp8) and 8 (float64).
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    width = 4 if itemsize == 4 else 2
    flops = n
    bytes_moved = 2 * width * n
    return flops, bytes_moved
