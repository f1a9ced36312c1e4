# rows one after another through reshape to (-1, N), the sum as a product with ones
def naive_softmax(x: np.ndarray) -> np.ndarray:
    n = x.shape[-1]
    y = np.empty(x.shape, dtype=x.dtype)
    flat_x, flat_y = x.reshape(-1, n), y.reshape(-1, n)
    for source, target in zip(flat_x, flat_y):
        e = np.exp(source)
        target[:] = e / e.sum()
    return y
