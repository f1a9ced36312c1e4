# Wrong: the last tile reads only its share of keys and values: 2 n d n / B without a ceiling. Shows where B does not
# divide n ("then all keys and all values pass by"), and results may be rounded.


def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    B = on_chip // (4 * d)
    loads = n * d + 2 * n * n * d // B
    stores = n * d + n
    return loads, stores
