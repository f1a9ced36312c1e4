# log2, and a dictionary of both ways
import math


def decode_messages(way, size, n, heads, kv_heads, d, width):
    log = math.floor(math.log2(size))
    left = int(2**log != size)
    ring = (size - 1, (size - 1) * (n // size) * (2 * kv_heads * d) * width)
    tree = (log + 2 * left, (log + left) * (heads * d + heads) * 4)
    return {"ring": ring, "tree": tree}[way]
