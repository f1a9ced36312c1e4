# Right: named lambdas, the visible pairs as rectangle minus triangle.
def cached_attention_cost(new, length, heads, kv_heads, d, itemsize):
    triangle = lambda n: n * (n - 1) // 2
    pairs = new * length - triangle(new)
    per_pair = 2 * d + 2 * d
    numbers = d * (heads * new + kv_heads * length + kv_heads * length + heads * new)
    return heads * pairs * per_pair, numbers * itemsize
