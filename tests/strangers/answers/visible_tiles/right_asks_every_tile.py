# asks each tile whether the first query sees its last key and the last query its first, and counts
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    first, last = start + n_k - n_q, stop - 1 + n_k - n_q
    full = seen = 0
    for begin in range(0, n_k, tile_n):
        end = begin + tile_n
        full += end <= n_k and end - 1 <= first
        seen += begin <= last
    return full, seen
