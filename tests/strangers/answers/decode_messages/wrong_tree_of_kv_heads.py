# tree: results have as many heads as the cache
def decode_messages(way, size, n, heads, kv_heads, d, width):
    if way == "ring":
        return size - 1, (size - 1) * (n // size) * kv_heads * 2 * d * width
    log = size.bit_length() - 1
    left = size > 2**log
    return log + 2 * left, (log + left) * kv_heads * (d + 1) * 4
