# Right: doubling until it does not fit, then bisection with whole numbers.
def largest_tile(d, on_chip):
    def fits(rows):
        return 4 * rows * d <= on_chip

    high = 1
    while fits(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
