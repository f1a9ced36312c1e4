# Counts the order of the first FlashAttention, keys outside: K and V once, Q, O, l and m once for each tile of keys; another count even for a single tile.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    T_c = -(-n // largest_tile(d, on_chip))
    loads = 2 * n * d
    stores = 0
    for _ in range(T_c):
        loads += n * d + n * d + 2 * n  # Q_i, O_i, l_i, m_i
        stores += n * d + 2 * n
    return loads, stores
