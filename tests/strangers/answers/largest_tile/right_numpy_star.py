# all of numpy
from numpy import *


def largest_tile(d, on_chip):
    return int(floor_divide(on_chip, 4 * d))
