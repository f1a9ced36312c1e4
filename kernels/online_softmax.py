"""Online softmax: maximum and denominator of a row in one pass, and the merge underneath.

Left out: the weighted sum of values, which turns the same recurrence into attention (see the
lessons on attention).
"""

from collections.abc import Iterable

import numpy as np


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    """Maximum and denominator of the softmax of one row, in one pass over its elements.

    stream: yields the N >= 1 elements of the row, an np.float32 at a time; it can be read once.
    Elements may be -inf (masked), the others have any size and may be equal.
    Returns (m, l), two numbers, np.float32 or float. A fully masked row gives (-inf, 0).
    Memory: O(1), whatever N.

        m_0 = -inf    l_0 = 0
        m_t = max(m_{t-1}, x_t)    l_t = l_{t-1} exp(m_{t-1} - m_t) + exp(x_t - m_t)

    Milakov and Gimelshein (2018), algorithm 3.
    """
    m, l = np.float32(-np.inf), np.float32(0)
    for x in stream:
        m_new = np.maximum(m, x)
        if m_new > -np.inf:  # only masked elements so far: -inf - (-inf) would be NaN
            l = l * np.exp(m - m_new) + np.exp(x - m_new)
        m = m_new
    return m, l


def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Maximum and denominator of the softmax of every row, in one pass over chunks of columns.

    chunks: yields one or more arrays (R, C_k) float32, the same R rows each time, C_k >= 1, not
    all equally wide; it can be read once. Entries may be -inf (masked); others have any size.
    Returns m (R,) and l (R,), same dtype. A fully masked row gives (-inf, 0).
    Memory: O(R C) for the widest chunk C, whatever the number of chunks.

        m_k = max(m_{k-1}, max_j X_kj)
        l_k = l_{k-1} exp(m_{k-1} - m_k) + sum_j exp(X_kj - m_k)
    """
    m, l = np.full(1, -np.inf, np.float32), np.zeros(1, np.float32)  # (1,) broadcasts to (R,)
    for chunk in chunks:
        m_new = np.maximum(m, chunk.max(axis=1))
        shift = np.where(np.isneginf(m_new), 0, m_new)  # -inf - (-inf) would be NaN
        l = l * np.exp(m - shift) + np.exp(chunk - shift[:, None]).sum(axis=1)
        m = m_new
    return m, l


def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Maximum and denominator of two pieces of a row together, from those of each.

    m1, l1, m2, l2: (...) float32, all of one shape; every position is a row of its own. Maxima
    have any size, so that L = m + log l would round them too coarsely; pieces have any length,
    and so l has any size, too.
    Returns m, l (...), same dtype.
    (-inf, 0) stands for an empty piece: merging it with a pair leaves the pair as it is, and
    merging two of them gives another.

        m = max(m1, m2)    l = l1 exp(m1 - m) + l2 exp(m2 - m)
    """
    m = np.maximum(m1, m2)
    shift = np.where(np.isneginf(m), 0, m)
    l = l1 * np.exp(m1 - shift) + l2 * np.exp(m2 - shift)
    return m, l


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    """Softmax along the rows, with maxima and denominators merged by a tree over tiles.

    x: (R, N) float32; entries may be -inf (masked).
    tile: columns of a tile; the last one is padded with -inf. `merge_stats` merges the pairs.
    Returns (R, N), same dtype; a fully masked row gives zeros.
    Steps: O(log T) for T = ceil(N / tile) tiles: all tiles at once, then all pairs of
    a level at once; nothing goes through them one by one, as `map` does, or a running sum.
    """
    rows, n = x.shape
    tiles = -(-n // tile)
    padded = np.full((rows, tiles * tile), -np.inf, x.dtype)
    padded[:, :n] = x
    padded = padded.reshape(rows, tiles, tile)

    m = padded.max(axis=2)
    tile_shift = np.where(np.isneginf(m), 0, m)
    l = np.exp(padded - tile_shift[:, :, None]).sum(axis=2)

    while m.shape[1] > 1:
        if m.shape[1] % 2:  # the odd one out is merged with the identity
            m = np.pad(m, ((0, 0), (0, 1)), constant_values=-np.inf)
            l = np.pad(l, ((0, 0), (0, 1)), constant_values=0)
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])

    shift = np.where(np.isneginf(m), 0, m)  # (R, 1), like l
    return np.exp(x - shift) / np.where(l == 0, 1, l)


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k largest probabilities of every row and their columns, in one pass over chunks.

    chunks: yields arrays (R, C_k) float32, the same R rows each time, C_k >= 1, not all equally
    wide; it can be read once. Entries may be -inf (masked); the others are all different within
    a row, and keep their columns even where their probability underflows to 0.
    k: how many to keep, at least 1.
    Returns p (R, k), same dtype, in descending order, and index (R, k) int64, their column
    numbers in the whole row. Where a row has fewer than k entries that are not masked, the
    slots left over hold p = 0 and index = -1.
    Memory: O(R (k + C)) for the widest chunk C, whatever the number of chunks.

    Milakov and Gimelshein (2018), algorithm 4.
    """
    m, l, first = np.full(1, -np.inf, np.float32), np.zeros(1, np.float32), 0
    for chunk in chunks:
        rows, width = chunk.shape
        if first == 0:
            top = np.full((rows, k), -np.inf, chunk.dtype)
            index = np.zeros((rows, k), np.int64)

        m_new = np.maximum(m, chunk.max(axis=1))
        shift = np.where(np.isneginf(m_new), 0, m_new)
        l = l * np.exp(m - shift) + np.exp(chunk - shift[:, None]).sum(axis=1)
        m = m_new

        columns = np.broadcast_to(np.arange(first, first + width), chunk.shape)
        values = np.concatenate([top, chunk], axis=1)
        places = np.concatenate([index, columns], axis=1)
        order = np.argsort(-values, axis=1)[:, :k]
        top = np.take_along_axis(values, order, axis=1)
        index = np.take_along_axis(places, order, axis=1)
        first += width

    p = np.exp(top - shift[:, None]) / np.where(l == 0, 1, l)[:, None]
    return p, np.where(np.isneginf(top), -1, index)
