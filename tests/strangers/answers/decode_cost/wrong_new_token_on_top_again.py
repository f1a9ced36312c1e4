# Counts the new token on top of the n in the cache (n + 1 keys), although the docstring's n includes it: a relative error of 1/n.
def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    keys = n + 1  # the cache and the token itself
    flops = 2 * (2 * batch * heads * keys * d)
    elements = 2 * batch * heads * d + 2 * batch * kv_heads * keys * d
    return flops, elements * itemsize
