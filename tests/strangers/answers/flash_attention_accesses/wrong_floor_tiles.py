# The number of tiles of queries is rounded down, so a remainder tile reads no keys and values.
def largest_tile(d, on_chip):
    return on_chip // (4 * d)


def flash_attention_accesses(n, d, on_chip):
    tiles = max(1, n // largest_tile(d, on_chip))
    return n * d + 2 * n * d * tiles, n * d + n
