# Plays the schedule: takes tiles of queries off the remaining rows and adds up what each one moves.
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    block, left = largest_tile(d, on_chip), n
    loads = stores = 0
    while left > 0:
        rows = min(block, left)
        loads += rows * d
        loads += n * d + n * d
        stores += rows * d + rows
        left -= rows
    return loads, stores
