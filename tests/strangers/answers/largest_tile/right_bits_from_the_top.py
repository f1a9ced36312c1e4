# Finds B bit by bit: sets each bit from the top that still lets the four tiles fit.
def largest_tile(d: int, on_chip: int) -> int:
    rows = 0
    for bit in reversed(range(int(on_chip).bit_length())):
        trial = rows | (1 << bit)
        if 4 * trial * d <= on_chip:
            rows = trial
    return rows
