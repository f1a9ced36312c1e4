# Takes every even number of ranks for a power of two: wrong for a tree of 6, 10 or 12 ranks.
def decode_messages(
    way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int
) -> tuple[int, int]:
    if size == 1:
        return 0, 0
    if way == "ring":
        return size - 1, (size - 1) * (n // size) * kv_heads * 2 * d * width
    levels = size.bit_length() - 1
    left = size % 2
    return levels + 2 * left, (levels + left) * heads * (d + 1) * 4
