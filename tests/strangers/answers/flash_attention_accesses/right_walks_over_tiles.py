# Style: walks over the tiles and counts what each one moves.


def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    rows = largest_tile(d, on_chip)
    loads = stores = 0
    for first in range(0, n, rows):
        queries = min(rows, n - first)
        loads += queries * d  # Q
        loads += n * d + n * d  # K and V pass by
        stores += queries * d + queries  # O and L
    return loads, stores
