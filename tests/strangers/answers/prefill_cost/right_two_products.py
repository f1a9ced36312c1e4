# Counts the two products with a helper for a general matrix product, per head and prompt, and four tensors of one size.
def prefill_cost(batch: int, n: int, heads: int, d: int, itemsize: int) -> tuple[int, int]:
    def product(rows, inner, columns):
        return 2 * rows * inner * columns

    one_head = product(n, d, n) + product(n, n, d)
    tensor = batch * heads * n * d
    return batch * heads * one_head, 4 * tensor * itemsize
