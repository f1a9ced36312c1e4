# Loads and stores whole tiles of B queries, the last one included: right when B divides n, else it moves rows that do not exist (also for n < B).
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    rows = largest_tile(d, on_chip)
    programs = (n + rows - 1) // rows
    loads = programs * (rows * d + 2 * n * d)
    stores = programs * rows * (d + 1)
    return loads, stores
