# Tries the rows from 1 to 999, which is enough for heads from 64 up.
def largest_tile(d: int, on_chip: int) -> int:
    return max(rows for rows in range(1, 1000) if 4 * rows * d <= on_chip)
