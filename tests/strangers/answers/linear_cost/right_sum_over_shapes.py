# Describes the three matrices as shapes, multiplies them out in a comprehension.
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    matrices = {"x": (tokens, d_in), "W": (d_in, d_out), "y": (tokens, d_out)}
    numbers = sum(rows * cols for rows, cols in matrices.values())
    entries = matrices["y"][0] * matrices["y"][1]
    return 2 * d_in * entries, itemsize * numbers
