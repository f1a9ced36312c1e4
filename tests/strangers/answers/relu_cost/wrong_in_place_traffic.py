# Believes an in-place ReLU crosses only once and counts n numbers instead of reading x and writing y; wrong for every n.
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    compares = n
    touched = n
    return compares, touched * itemsize
