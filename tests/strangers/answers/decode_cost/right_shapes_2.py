# Right: shapes as tuples and math.prod, keyword-only inner function.
import math


def decode_cost(batch, n, heads, kv_heads, d, itemsize):
    def numel(*shape):
        return math.prod(shape)

    q = o = numel(batch, heads, 1, d)
    k = v = numel(batch, kv_heads, n, d)
    s = p = numel(batch, heads, 1, n)
    flops = 2 * s * d + 2 * p * d
    return flops, itemsize * (q + k + v + o)
