# Walks over the tiles as the kernel does and adds up what each one loads and stores.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    B = largest_tile(d, on_chip)
    loads = stores = 0
    for first in range(0, n, B):
        queries = min(B, n - first)
        loads += queries * d  # Q
        loads += n * d + n * d  # all of K and V
        stores += queries * d + queries  # O and L
    return loads, stores
