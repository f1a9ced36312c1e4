# A match statement with a guard; log2 by bit_length.
def decode_messages(
    way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int
) -> tuple[int, int]:
    match way, size:
        case _, 1:
            return 0, 0
        case "ring", _:
            return size - 1, (size - 1) * 2 * kv_heads * (n // size) * d * width
        case "tree", _:
            levels = size.bit_length() - 1
            extra = int(size != 1 << levels)
            return levels + 2 * extra, (levels + extra) * 4 * heads * (d + 1)
    raise ValueError(way)
