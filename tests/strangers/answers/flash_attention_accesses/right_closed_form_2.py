# Style: the closed form, with a ceiling in whole numbers.


def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    tiles = -(-n // largest_tile(d, on_chip))
    return n * d + 2 * tiles * n * d, n * d + n
