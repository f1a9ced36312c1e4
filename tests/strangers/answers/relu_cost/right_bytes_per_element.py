# bytes of one element there and back, times the elements
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    there_and_back = itemsize << 1
    return n, n * there_and_back
