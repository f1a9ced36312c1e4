# abstract base class with static methods, lru_cache of a small table, np.lib stride views avoided, context manager
from abc import ABC, abstractmethod
from contextlib import contextmanager
from functools import lru_cache

import numpy as np


@contextmanager
def quiet():
    with np.errstate(invalid="ignore", over="ignore"):
        yield


@lru_cache(maxsize=None)
def widths(tiles: int) -> tuple[int, ...]:
    return (tiles,) if tiles == 1 else (tiles, *widths((tiles + 1) // 2))


class Stage(ABC):
    @abstractmethod
    def run(self, m, l): ...


class Halve(Stage):
    def __init__(self, into):
        self.into = into

    @staticmethod
    def split(a, into, empty):
        out = np.full((2, a.shape[0], into), empty, a.dtype)
        out[0] = a[:, ::2]
        out[1, :, : a.shape[1] // 2] = a[:, 1::2]
        return out

    def run(self, m, l):
        (m1, m2), (l1, l2) = self.split(m, self.into, -np.inf), self.split(l, self.into, 0)
        return merge_stats(m1, l1, m2, l2)


def tree_softmax(x, tile):
    rows, n = x.shape
    tiles = (n + tile - 1) // tile
    padded = np.full((rows, tiles * tile), -np.inf, x.dtype)
    np.copyto(padded[:, :n], x)
    cube = padded.reshape(rows, tiles, tile)
    with quiet():
        m = cube.max(-1)
        base = np.maximum(m, np.finfo(x.dtype).min)
        l = np.exp(cube - base[..., None]).sum(-1)
        for into in widths(tiles)[1:]:
            m, l = Halve(into).run(m, l)
        return np.exp(x - np.maximum(m, np.finfo(x.dtype).min)) / np.maximum(l, np.float32(1))
