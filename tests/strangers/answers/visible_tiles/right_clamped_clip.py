# style: numpy person uses np.clip and int()
import numpy as np


def visible_tiles(start: int, stop: int, n_q: int, n_k: int, tile_n: int) -> tuple[int, int]:
    first, last = np.clip(np.array([start, stop - 1], dtype=np.int64) + 1 + n_k - n_q, 0, n_k)
    return int(first // tile_n), int(-(-last // tile_n))
