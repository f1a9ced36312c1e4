# style: nested helper functions with early returns
def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    def keys_seen_by(query: int) -> int:
        """How many keys query `query` sees: a number from 0 to n_k."""
        return min(max(query + n_k - n_q + 1, 0), n_k)

    full = keys_seen_by(start) // tile_n
    seen = (keys_seen_by(stop - 1) + tile_n - 1) // tile_n
    return full, seen
