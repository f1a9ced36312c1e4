# right: shapes of the four tensors as in the contract, two products of shape (batch, heads, 1, n, d)
from math import prod


def decode_cost(
    batch: int, n: int, heads: int, kv_heads: int, d: int, itemsize: int
) -> tuple[int, int]:
    query = (batch, heads, 1, d)
    cache = (batch, kv_heads, n, d)
    terms = prod(query) * n  # of each of the two products
    moved = [prod(shape) for shape in (query, cache, cache, query)]
    return 2 * (terms + terms), itemsize * sum(moved)
