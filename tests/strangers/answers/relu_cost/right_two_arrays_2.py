# sums over a list of the arrays that cross
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    crossings = {"x": n, "y": n}
    comparisons = 1
    return comparisons * n, sum(itemsize * numbers for numbers in crossings.values())
