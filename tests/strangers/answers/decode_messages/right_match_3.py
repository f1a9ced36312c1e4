# style: match statement with raise for unknown, int.bit_length
def decode_messages(
    way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int
) -> tuple[int, int]:
    match way, size:
        case _, 1:
            return 0, 0
        case "ring", _:
            block = n // size * kv_heads * d * 2 * width
            return size - 1, (size - 1) * block
        case "tree", _:
            digits = size.bit_length() - 1
            odd = size != 1 << digits
            message = heads * (d + 1) * 4
            # a rank below P that also answers a rank above it sends one message more
            return digits + 2 * odd, (digits + odd) * message
        case _:
            raise ValueError(f"unknown way {way!r}")
