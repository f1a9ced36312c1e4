# right: a helper for one product (m, k) x (k, n), summed over a list of products and of tensors
from math import prod


def prefill_cost(batch, n, heads, d, itemsize):
    products = {"S": (n, d, n), "O": (n, n, d)}
    tensors = {name: (batch, heads, n, d) for name in "QKVO"}
    each = sum(prod(sizes) << 1 for sizes in products.values())
    numbers = sum(map(prod, tensors.values()))
    return batch * heads * each, itemsize * numbers
