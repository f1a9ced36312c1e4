# all of math
from math import *
import operator as op
from itertools import starmap


def decode_cost(batch, n, heads, kv_heads, d, itemsize):
    flops = 2 * 2 * prod((batch, heads, n, d))          # q·k und p·v
    numbers = sum(starmap(op.mul, [(2, prod([batch, heads, d])), (2, prod([batch, kv_heads, n, d]))]))
    return flops, numbers * itemsize
