# Off by one in the triangle of the mask: a new token is not counted as seeing itself.
def cached_attention_cost(new, length, heads, kv_heads, d, itemsize):
    pairs = new * length - new * (new + 1) // 2
    return 4 * heads * d * pairs, itemsize * 2 * d * (heads * new + kv_heads * length)
