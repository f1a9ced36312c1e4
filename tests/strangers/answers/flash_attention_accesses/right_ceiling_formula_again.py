# Closed formula: the walks are a negated floor division.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    walks = -(-n // largest_tile(d, on_chip))
    return n * d * (1 + 2 * walks), n * (d + 1)
