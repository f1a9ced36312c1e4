# match on the way, bit_length for the logarithm
def decode_messages(
    way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int
) -> tuple[int, int]:
    match way:
        case "ring":
            block = 2 * (n // size) * kv_heads * d * width
            return size - 1, (size - 1) * block
        case "tree":
            levels = size.bit_length() - 1
            ragged = size != 1 << levels
            message = 4 * heads * (d + 1)
            return levels + 2 * ragged, (levels + ragged) * message
        case other:
            raise ValueError(f"no such way: {other}")
