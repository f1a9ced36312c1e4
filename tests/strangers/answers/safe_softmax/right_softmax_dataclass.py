# Right: a frozen dataclass with cached properties and a walrus; ellipsis and None indexing; copysign/isfinite
from dataclasses import dataclass
from functools import cached_property

import numpy as np


@dataclass(frozen=True)
class _Rows:
    x: np.ndarray

    @cached_property
    def m(self) -> np.ndarray:
        top = self.x.max(axis=-1, keepdims=True)
        return np.where(np.isfinite(top), top, np.array(0, dtype=self.x.dtype))

    @cached_property
    def e(self) -> np.ndarray:
        return np.exp(self.x - self.m)

    @cached_property
    def l(self) -> np.ndarray:
        return self.e.sum(axis=-1, keepdims=True)

    def normalised(self) -> np.ndarray:
        safe = np.maximum(self.l, np.finfo(self.x.dtype).tiny)
        return self.e / safe


def safe_softmax(x: np.ndarray) -> np.ndarray:
    if not (rows := _Rows(x)).x.shape[-1] >= 1:
        raise ValueError("N >= 1")
    return rows.normalised()
