# recursive count of the tree's exchanges and a dictionary of ways; keeps the contract
def _exchanges(size):
    return 0 if size < 2 else 1 + _exchanges(size // 2)


def decode_messages(
    way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int
) -> tuple[int, int]:
    levels = _exchanges(size)
    left_over = size - 2**levels > 0
    counts = {
        "ring": (size - 1, size - 1, n // size * kv_heads * d * 2 * width),
        "tree": (levels + 2 * left_over, levels + left_over, 4 * heads * (d + 1)),
    }
    rounds, messages, each = counts[way]
    return int(rounds), int(messages) * each
