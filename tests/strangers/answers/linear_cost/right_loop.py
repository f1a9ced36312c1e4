# style: multiplications and additions apart
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    multiplications = additions = tokens * d_out * d_in
    elements = d_in * (tokens + d_out) + tokens * d_out
    return multiplications + additions, elements * itemsize
