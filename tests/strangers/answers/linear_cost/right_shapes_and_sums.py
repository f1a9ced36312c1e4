# Sums the sizes of the three shapes in a loop and counts a multiplication and an addition for each term of each entry.
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    numbers = 0
    for rows, columns in ((tokens, d_in), (d_in, d_out), (tokens, d_out)):
        numbers += rows * columns
    multiplications = additions = tokens * d_out * d_in
    return multiplications + additions, numbers * itemsize
