# Right: match on the way, a tuple of rounds and messages times bytes.
def decode_messages(way, size, n, heads, kv_heads, d, width):
    match way, size:
        case _, 1:
            return 0, 0
        case "ring", _:
            hops = size - 1
            return hops, hops * (n // size) * kv_heads * 2 * d * width
        case "tree", _:
            levels = size.bit_length() - 1
            folded = int(size != 1 << levels)
            return levels + 2 * folded, (levels + folded) * heads * (d + 1) * 4
        case _:
            raise ValueError(way)
