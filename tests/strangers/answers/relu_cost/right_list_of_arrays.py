# right: lists what is read and written and adds it up.
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    comparisons_per_entry = 1
    arrays = {"x, read": n, "y, written": n}
    moved = sum(size * itemsize for size in arrays.values())
    return comparisons_per_entry * n, moved
