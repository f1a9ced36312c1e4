# right: goes along the tiles of keys with a range and adds up, with a dictionary of the widths of the tensors
def accesses_keys_outside(n: int, d: int, tile_m: int, tile_n: int) -> tuple[int, int]:
    width = {"K": d, "V": d, "Q": d, "O": d, "m": 1, "l": 1}
    loads = stores = 0
    for start in range(0, n, tile_n):
        keys = min(tile_n, n - start)
        loads += keys * (width["K"] + width["V"])
        loads += n * sum(width[name] for name in ("Q", "O", "m", "l"))
        stores += n * sum(width[name] for name in ("O", "m", "l"))
    return loads, stores
