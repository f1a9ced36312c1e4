# Lists the three shapes, adds up their sizes, and counts multiplications and additions apart.
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    shapes = {"x": (tokens, d_in), "W": (d_in, d_out), "y": (tokens, d_out)}
    numbers = sum(rows * cols for rows, cols in shapes.values())
    multiplications = additions = tokens * d_out * d_in
    return multiplications + additions, numbers * itemsize
