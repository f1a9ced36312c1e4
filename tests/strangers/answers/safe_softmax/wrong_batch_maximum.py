# Subtracts the maximum of the whole array instead of each row's own, so a row that lies about 90 or more below the largest score of the batch loses its weights, and further below comes out as zeros like a masked one.
def safe_softmax(x: np.ndarray) -> np.ndarray:
    biggest = x.max()
    if np.isneginf(biggest):
        return np.zeros_like(x)
    e = np.exp(x - biggest)
    s = np.sum(e, axis=-1, keepdims=True)
    y = np.zeros_like(x)
    np.divide(e, s, out=y, where=s > 0)
    return y
