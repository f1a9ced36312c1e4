# Right: match with guards, int.bit_length for the logarithm, named intermediate sizes
def decode_messages(
    way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int
) -> tuple[int, int]:
    match way, size:
        case _, 1:
            return 0, 0
        case "ring", W:
            block = 2 * (n // W) * kv_heads * d * width
            return W - 1, (W - 1) * block
        case "tree", W:
            levels = W.bit_length() - 1
            surplus = W != 1 << levels
            message = 4 * heads * (d + 1)
            # rank 0 exchanges in every level and, if there is a surplus rank, answers it
            return levels + 2 * surplus, (levels + surplus) * message
        case _:
            raise ValueError(f"{way!r}: ring or tree")
