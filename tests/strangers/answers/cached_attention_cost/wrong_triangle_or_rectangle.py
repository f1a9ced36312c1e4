# Wrong: knows a prefill (a triangle) and a decode step (a row), and takes a chunk between the two for a rectangle.
# Breaks: flops "as far as the mask lets them through", for any `new`.
def cached_attention_cost(new, length, heads, kv_heads, d, itemsize):
    pairs = length * (length + 1) // 2 if new == length else new * length
    return 4 * heads * d * pairs, itemsize * d * (2 * heads * new + 2 * kv_heads * length)
