# Right: everything by keyword, ** unpacking of a dict, an own exception class and a raise that never happens
class BadGroups(ValueError):
    """Query heads that cannot be shared out evenly."""


def _elements(*, batch: int, heads: int, rows: int, d: int) -> int:
    return batch * heads * rows * d


def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    """What attention costs when one new token of each sequence attends to the n in its cache."""
    if heads % kv_heads:
        raise BadGroups(f"{heads} query heads, {kv_heads} KV heads")
    common = {"batch": batch, "d": d}
    q = _elements(heads=heads, rows=1, **common)
    kv = _elements(heads=kv_heads, rows=n, **common)
    flops = 2 * 2 * n * q
    return flops, (2 * q + 2 * kv) * itemsize
