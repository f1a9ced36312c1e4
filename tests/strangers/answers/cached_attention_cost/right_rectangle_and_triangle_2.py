# right: a rectangle of old keys and a triangle of new ones
def cached_attention_cost(new, length, heads, kv_heads, d, itemsize):
    old = length - new
    rectangle, triangle = new * old, new * (new + 1) // 2
    flops = 4 * d * heads * (rectangle + triangle)
    cache = 2 * kv_heads * (old + new)
    rows = 2 * heads * new
    return flops, itemsize * d * (cache + rows)
