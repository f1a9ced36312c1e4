# right: running sums with itertools, the slot by bisection to the right, one row at a time
from bisect import bisect_right
from itertools import accumulate


def _slot(shares, number):
    slot = bisect_right(list(accumulate(shares)), number)
    if slot < len(shares):
        return slot
    return max((j for j, share in enumerate(shares) if share > 0), default=None)


def draw(p, index, u):
    tokens = np.full(len(p), -1, dtype=np.int64)
    for row, (shares, number) in enumerate(zip(p.tolist(), u.tolist())):
        slot = _slot(shares, number)
        if slot is not None:
            tokens[row] = index[row, slot]
    return tokens
