# tree: up to the root and down again
def decode_messages(way, size, n, heads, kv_heads, d, width):
    if way == "ring":
        return size - 1, (size - 1) * (n // size) * kv_heads * 2 * d * width
    log = (size - 1).bit_length()
    return 2 * log, 2 * log * heads * (d + 1) * 4
