# sizes of the three matrices summed
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    flops = 2 * tokens * d_in * d_out
    numbers = sum((tokens * d_in, d_in * d_out, tokens * d_out))
    return flops, numbers * itemsize
