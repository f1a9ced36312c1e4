# Counts one product of (n, k) and (k, m) in a helper and calls it for S and for O.
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    def product(rows, inner, cols):
        return rows * cols * (inner + inner)

    one_head = product(n, d, n) + product(n, n, d)
    matrices = ["Q", "K", "V", "O"]
    return batch * heads * one_head, len(matrices) * batch * heads * n * d * itemsize
