# Thinks of nn.Linear and adds a bias, tokens d_out additions and d_out numbers that y = x W does not have.
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    weight, bias = d_in * d_out, d_out
    flops = 2 * tokens * weight + tokens * bias
    moved = tokens * d_in + weight + bias + tokens * d_out
    return flops, moved * itemsize
