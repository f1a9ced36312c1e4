# stores m and l for each row instead of the one log-sum-exp
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    B = largest_tile(d, on_chip)
    walks = (n - 1) // B + 1
    return n * d * (1 + 2 * walks), n * (d + 2)
