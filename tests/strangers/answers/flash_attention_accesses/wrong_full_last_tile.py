# Moves a full tile of B queries, outputs and log-sum-exps also at the end, where fewer are left: too many where B does not divide n (also one tile with B > n).
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    B = largest_tile(d, on_chip)
    tiles = (n + B - 1) // B
    loads = tiles * (B * d + 2 * n * d)
    stores = tiles * (B * d + B)
    return loads, stores
