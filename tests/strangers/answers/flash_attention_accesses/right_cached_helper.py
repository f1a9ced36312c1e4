# style: functools.lru_cache on a helper, math.ceil avoided by -(-a // b)
from functools import lru_cache


@lru_cache(maxsize=None)
def ceil_div(a: int, b: int) -> int:
    return -(-a // b)


def flash_attention_accesses(n: int, d: int, on_chip: int) -> tuple[int, int]:
    passes = ceil_div(n, largest_tile(d, on_chip))
    loads = n * d + passes * 2 * n * d
    stores = n * d + n
    return loads, stores
