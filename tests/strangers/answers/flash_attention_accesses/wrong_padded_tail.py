# Wrong: the last tile of queries is counted as a whole one.
# Breaks: "The last tile has the queries that are left, and moves no more than these."
def flash_attention_accesses(n, d, on_chip):
    B = largest_tile(d, on_chip)
    tiles = -(-n // B)
    loads = tiles * (B * d + 2 * n * d)
    stores = tiles * (B * d + B)
    return loads, stores
