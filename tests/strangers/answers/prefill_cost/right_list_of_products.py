# Style: a general matmul cost, summed over a list of products and a list of shapes.
from math import prod


def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    products = [(n, d, n), (n, n, d)]  # S = Q K^T, O = P V: rows, inner, columns
    crossing = {name: (batch, heads, n, d) for name in "QKVO"}
    flops = batch * heads * sum(2 * prod(sizes) for sizes in products)
    return flops, itemsize * sum(map(prod, crossing.values()))
