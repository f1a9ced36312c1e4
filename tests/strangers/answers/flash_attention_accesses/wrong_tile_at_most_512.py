# A tile has at most 512 queries, so that too many tiles are counted where a narrow head lets more of them fit.
def flash_attention_accesses(n, d, on_chip):
    b = min(largest_tile(d, on_chip), 512)
    t = (n + b - 1) // b
    return n * d + 2 * t * n * d, n * (d + 1)
