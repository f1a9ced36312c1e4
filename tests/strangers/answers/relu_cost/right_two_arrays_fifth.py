# right: adds up a table of the arrays that cross
def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    numbers_in = {"x": n}
    numbers_out = {"y": n}
    comparisons = sum(numbers_out.values())
    crossing = [*numbers_in.values(), *numbers_out.values()]
    return comparisons, sum(itemsize * count for count in crossing)
