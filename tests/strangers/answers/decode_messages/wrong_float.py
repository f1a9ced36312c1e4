# plain: the bytes are a float, since n / size is
def decode_messages(way, size, n, heads, kv_heads, d, width):
    if way == "ring":
        return size - 1, (size - 1) * (n / size) * kv_heads * 2 * d * width
    log = size.bit_length() - 1
    left = size != 2**log
    return log + 2 * left, (log + left) * heads * (d + 1) * 4.0
