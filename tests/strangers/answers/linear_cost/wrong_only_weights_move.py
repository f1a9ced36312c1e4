# leaves out x and y because the weights are nearly everything; close for few tokens only
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    return 2 * tokens * d_in * d_out, d_in * d_out * itemsize
