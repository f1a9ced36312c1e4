# ceil of math.log(W, 2) for the levels of a power of two: math.log(2**29, 2) is 29.000000000000004, so 30 rounds; W=2**29 (small powers are right)
import math


def decode_messages(
    way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int
) -> tuple[int, int]:
    if way == "ring":
        return size - 1, (size - 1) * (n // size * kv_heads * 2 * d * width)
    message = 4 * heads * (d + 1)
    if size & (size - 1) == 0:
        levels = math.ceil(math.log(size, 2))
        return levels, levels * message
    levels = size.bit_length() - 1
    return levels + 2, (levels + 1) * message
