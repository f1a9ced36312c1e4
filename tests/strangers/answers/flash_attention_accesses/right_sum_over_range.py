# Sums over the tiles of queries with a generator.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    b = largest_tile(d, on_chip)
    moved = [(min(b, n - i) * d + 2 * n * d, min(b, n - i) * (d + 1)) for i in range(0, n, b)]
    return tuple(map(sum, zip(*moved)))
