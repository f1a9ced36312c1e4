# Counts O and L as read once too, as in FlashAttention-1.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    tiles = -(-n // largest_tile(d, on_chip))
    return 2 * n * d + n + tiles * 2 * n * d, n * d + n
