# style: the pairs added up query by query with a range
def cached_attention_cost(new, length, heads, kv_heads, d, itemsize):
    pairs = sum(range(length - new + 1, length + 1))
    rows = heads * new + kv_heads * length
    return 4 * d * heads * pairs, 2 * d * itemsize * rows
