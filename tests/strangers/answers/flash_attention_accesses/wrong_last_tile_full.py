# the last tile is counted with B queries though it has fewer; wrong when B does not divide N
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    B = largest_tile(d, on_chip)
    tiles = (n + B - 1) // B
    loads = tiles * (B * d + 2 * n * d)
    stores = tiles * B * (d + 1)
    return loads, stores
