# n // B walks: the queries left over never make the keys pass by
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    B = min(n, largest_tile(d, on_chip))
    return n * d + (n // B) * 2 * n * d, n * d + n
