# Style: a loop over the sequences; pairs as the difference of two triangles, of all tokens and of those before.
from collections.abc import Iterator

import numpy as np


def step_time(
    new: np.ndarray,
    length: np.ndarray,
    weights: int,
    per_token: int,
    per_pair: int,
    itemsize: int,
    peak: float,
    bandwidth: float,
) -> float:
    def triangle(n: int) -> int:
        return n * (n + 1) // 2

    def pairs() -> Iterator[int]:
        for c, n in zip(new.tolist(), length.tolist()):
            yield triangle(n) - triangle(n - c)

    work = np.array(
        [
            [2.0 * weights * sum(new.tolist()), float(weights)],
            [float(per_pair) * sum(pairs()), float(per_token) * sum(length.tolist())],
        ]
    )
    clocks = work * [1 / peak, itemsize / bandwidth]
    return np.float64(clocks.max(axis=1).sum())
