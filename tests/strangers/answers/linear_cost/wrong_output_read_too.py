# counts y twice, read and written, as a BLAS gemm with beta != 0 would
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    x, W, y = tokens * d_in, d_in * d_out, tokens * d_out
    return 2 * x * d_out, (x + W + 2 * y) * itemsize
