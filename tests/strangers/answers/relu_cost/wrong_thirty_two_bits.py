# counts in np.int32, which overflows from about 2**31 bytes on (with 4-byte numbers from n = 2**28)
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    n = np.array(n).astype(np.int32)
    moved = n * np.int32(2 * itemsize)
    return int(n), int(moved)
