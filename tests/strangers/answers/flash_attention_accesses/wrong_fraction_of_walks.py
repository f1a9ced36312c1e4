# puts N / B without rounding up (then truncates): a ragged last tile is charged for a part of the keys
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    B = min(n, largest_tile(d, on_chip))
    return n * d + int(n / B * 2 * n * d), n * d + n
