# right: splits off the whole tiles with divmod, then the rest
def flash_attention_accesses(n, d, on_chip):
    whole, rest = divmod(n, largest_tile(d, on_chip))
    walks = whole + (rest > 0)
    rows_read = n + 2 * n * walks
    return rows_read * d, n * (d + 1)
