# style: math.prod over shapes in a dict
from math import prod


def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    shapes = {"x": (tokens, d_in), "W": (d_in, d_out), "y": (tokens, d_out)}
    numbers = {name: prod(shape) for name, shape in shapes.items()}
    return 2 * prod((tokens, d_in, d_out)), itemsize * sum(numbers.values())
