# back-of-an-envelope with fractions.Fraction: intensity first, bytes from it
from fractions import Fraction


def relu_cost(n: int, itemsize: int) -> tuple[int, int]:
    intensity = Fraction(1, 2 * itemsize)  # one comparison for a number that comes and one that goes
    flops = n
    return flops, int(flops / intensity)
