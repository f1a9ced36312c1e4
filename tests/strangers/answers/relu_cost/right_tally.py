# Right: a tally of operands and results, one comparison for each number.
def relu_cost(n, itemsize):
    traffic = {"x": n, "y": n}
    return n, sum(numbers * itemsize for numbers in traffic.values())
