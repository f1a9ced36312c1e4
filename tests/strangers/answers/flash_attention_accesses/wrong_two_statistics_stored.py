# Stores m and l instead of the one log-sum-exp, as FlashAttention-1 does: n stores too many, 1/(d + 1) of the stores.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    tile = largest_tile(d, on_chip)
    loads = stores = 0
    for first in range(0, n, tile):
        here = min(tile, n - first)
        loads += here * d + 2 * n * d
        stores += here * d + 2 * here
    return loads, stores
