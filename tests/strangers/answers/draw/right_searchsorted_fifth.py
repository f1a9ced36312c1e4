# right: row by row, a binary search in the running sums in float64
def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    """The slot whose stretch holds u."""
    tokens = np.full(len(p), -1, dtype=np.int64)
    for r, (row, names, number) in enumerate(zip(p, index, u)):
        possible = np.flatnonzero(row > 0)  # u never falls on the others
        if possible.size == 0:
            continue
        ends = np.cumsum(row[possible], dtype=np.float64)
        slot = min(np.searchsorted(ends, float(number), side="right"), possible.size - 1)
        tokens[r] = names[possible[slot]]
    return tokens
