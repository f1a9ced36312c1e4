# Works row by row through x.reshape(-1, N), which is a view of a contiguous x, so the caller's scores are overwritten and the result is their memory.
def naive_softmax(x: np.ndarray) -> np.ndarray:
    table = x.reshape(-1, x.shape[-1])
    for r in range(len(table)):
        row = table[r]
        row[:] = np.exp(row)
        row /= row.sum()
    return table.reshape(x.shape)
