# floats; "whole numbers of any size": products are taken in float64, which holds 53 bits
def decode_cost(batch, n, heads, kv_heads, d, itemsize):
    return int(4.0 * batch * heads * n * d), int((2.0 * batch * heads * d + 2.0 * batch * kv_heads * n * d) * itemsize)
