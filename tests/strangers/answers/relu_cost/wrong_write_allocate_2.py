# Wrong: counts that a cache line of y is read before it is written, as CPUs do.
# Breaks: "x has to come from main memory and y has to go there."
def relu_cost(n, itemsize):
    return n, 3 * n * itemsize
