# Right: each head is two products, counted with a small helper for a product of two matrices.
def prefill_cost(batch, n, heads, d, itemsize):
    def product(rows, inner, columns):
        return rows * columns * (inner + inner)

    pieces = batch * heads
    flops = pieces * (product(n, d, n) + product(n, n, d))
    matrices = ("Q", "K", "V", "O")
    return flops, pieces * sum(n * d * itemsize for _ in matrices)
