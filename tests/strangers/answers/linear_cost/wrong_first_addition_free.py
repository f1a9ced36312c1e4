# counts d_in - 1 additions per entry; the lesson starts every sum from 0
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    flops = tokens * d_out * (2 * d_in - 1)
    return flops, itemsize * (tokens * d_in + d_in * d_out + tokens * d_out)
