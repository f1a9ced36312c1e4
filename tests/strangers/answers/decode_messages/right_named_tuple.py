# Right: recursion over the ranks, and a named tuple of the two numbers.
from collections import namedtuple

Count = namedtuple("Count", ["rounds", "sent"])


def levels(size: int) -> int:
    return 0 if size < 2 else 1 + levels(size // 2)


def decode_messages(
    way: str, size: int, n: int, heads: int, kv_heads: int, d: int, width: int
) -> tuple[int, int]:
    if way == "ring":
        all_bytes = n * kv_heads * (d + d) * width  # the whole cache
        return Count(size - 1, all_bytes - all_bytes // size)  # all but one's own share
    log_p = levels(size)
    folds = int(size > 2**log_p)
    return Count(log_p + 2 * folds, (log_p + folds) * heads * (d + 1) * 4)
