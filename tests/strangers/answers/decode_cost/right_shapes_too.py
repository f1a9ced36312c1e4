# Right: products of the four shapes, and two operations for every pair of a query head's number and a cached number.
import math


def decode_cost(batch, n, heads, kv_heads, d, itemsize):
    shapes = [(batch, heads, 1, d)] * 2 + [(batch, kv_heads, n, d)] * 2
    moved = itemsize * sum(math.prod(shape) for shape in shapes)
    scores = batch * heads * n
    flops = scores * 2 * d + scores * 2 * d  # S = Q K^T, then O = P V
    return flops, moved
