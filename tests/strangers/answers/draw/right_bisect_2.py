# itertools.accumulate and bisect_right, a row at a time
from bisect import bisect_right
from itertools import accumulate


def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    def slot(row: np.ndarray, number: float) -> int | None:
        sums = list(accumulate(float(x) for x in row))
        if (j := bisect_right(sums, number)) < len(sums):
            return j
        positive = np.flatnonzero(row > 0)
        return int(positive[-1]) if positive.size else None

    slots = (slot(row, float(number)) for row, number in zip(p, u))
    said = [-1 if j is None else tokens[j] for tokens, j in zip(index, slots)]
    return np.array(said, dtype=np.int64)
