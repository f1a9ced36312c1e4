# Computes the counts by NumPy float64 products and returns them unconverted: floats instead of whole numbers, inexact above 2^53.
def linear_cost(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    t, i, o = np.float64(tokens), np.float64(d_in), np.float64(d_out)
    return 2 * t * i * o, itemsize * (t * i + i * o + t * o)
