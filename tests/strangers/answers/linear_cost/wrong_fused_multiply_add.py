# counts a multiplication with its addition as one operation
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    macs = tokens * d_in * d_out
    moved = (tokens * d_in + d_in * d_out + tokens * d_out) * itemsize
    return macs, moved
