# broadcasts the row sums against the transposed array, then transposes back
def naive_softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x)
    total = np.add.reduce(e, axis=-1)
    return (e.T / total.T).T
