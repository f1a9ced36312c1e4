# right: from the shapes of the three matrices
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    x, W, y = (tokens, d_in), (d_in, d_out), (tokens, d_out)

    def size(shape):
        rows, columns = shape
        return rows * columns

    multiplications = additions = size(y) * d_in
    return multiplications + additions, itemsize * sum(map(size, (x, W, y)))
