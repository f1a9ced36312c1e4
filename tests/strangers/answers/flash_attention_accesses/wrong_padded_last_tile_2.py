# Wrong: the last tile moves as many queries, outputs and log-sum-exps as a full one ("moves no more than these"). Shows
# where B does not divide n.


def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    rows = largest_tile(d, on_chip)
    tiles = (n + rows - 1) // rows
    loads = tiles * (rows * d + 2 * n * d)
    stores = tiles * (rows * d + rows)
    return loads, stores
