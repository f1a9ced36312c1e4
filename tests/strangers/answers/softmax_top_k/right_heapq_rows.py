# Right: a heap for each row (heapq.heappushpop), a running maximum and sum, all with Python numbers
import heapq
import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Row:
    k: int
    m: float = -math.inf
    l: float = 0.0
    heap: list[tuple[float, int]] = field(default_factory=list)

    def see(self, x: float, column: int) -> None:
        if x == -math.inf:
            return
        if x > self.m:
            self.l, self.m = self.l * math.exp(self.m - x), x
        self.l += math.exp(x - self.m)
        push = heapq.heappush if len(self.heap) < self.k else heapq.heappushpop
        push(self.heap, (x, column))

    def top(self) -> list[tuple[float, int]]:
        return [(math.exp(x - self.m) / self.l, j) for x, j in sorted(self.heap, reverse=True)]


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k largest probabilities of every row and their columns, in one pass over chunks."""
    rows: list[Row] = []
    seen = 0
    for chunk in chunks:
        rows = rows or [Row(k) for _ in range(len(chunk))]
        for row, numbers in zip(rows, chunk, strict=True):
            for j, x in enumerate(numbers, start=seen):
                row.see(float(x), j)
        seen += chunk.shape[1]
    p, index = np.zeros((len(rows), k), np.float32), np.full((len(rows), k), -1, np.int64)
    for i, row in enumerate(rows):
        for slot, (p[i, slot], index[i, slot]) in enumerate(row.top()):
            pass
    return p, index
