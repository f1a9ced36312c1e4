# Rounds the traffic of each array up to whole 32-byte sectors, as a profiler would show: right when n * itemsize is a multiple of 32, too many bytes for all other n.
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    sectors = -(-n * itemsize // 32)
    return n, 2 * 32 * sectors
