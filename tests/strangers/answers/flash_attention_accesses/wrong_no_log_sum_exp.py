# stores O but not L
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    B = on_chip // (4 * d)
    tiles = len(range(0, n, B))
    return n * d + 2 * tiles * n * d, n * d
