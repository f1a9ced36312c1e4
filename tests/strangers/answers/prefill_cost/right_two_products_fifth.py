# right: a helper that counts one matrix product, used for S and for O, and the sizes of the four tensors
def _product(rows: int, inner: int, columns: int) -> int:
    return rows * columns * (inner + inner)


def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    one_head = _product(rows=n, inner=d, columns=n) + _product(rows=n, inner=n, columns=d)
    numbers = sum(n * d for _tensor in "QKVO")
    return batch * heads * one_head, batch * heads * numbers * itemsize
