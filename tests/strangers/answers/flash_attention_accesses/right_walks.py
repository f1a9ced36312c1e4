# right: goes through the tiles of queries one by one and adds up what each moves
def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    rows_on_chip = largest_tile(d, on_chip)
    loads = stores = done = 0
    while done < n:
        queries = min(rows_on_chip, n - done)
        loads += queries * d + n * (d + d)
        stores += queries * (d + 1)
        done += queries
    return loads, stores
