# scalar: goes along each row with a float64 sum and remembers the last slot that had a probability
def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    """One token for each row, by its probabilities and a random number.

    p: (R, k) float32, a row's probabilities in any order, with a sum of 1 up to rounding, or
    all 0. index: (R, k) int64, their tokens. u: (R,) float32, uniform in [0, 1).
    Returns (R,) int64: the token in the first slot j with p_0 + ... + p_j > u; where rounding
    leaves none, that in the last slot with p > 0. A row of zeros gives -1.
    Arguments stay as they are, and results are new memory.
    """
    tokens = np.empty(len(p), dtype=np.int64)
    for r, (row, names, number) in enumerate(zip(p.tolist(), index.tolist(), u.tolist())):
        token, total = -1, 0.0
        for share, name in zip(row, names):
            if share <= 0:
                continue
            total += share
            token = name
            if total > number:
                break
        tokens[r] = token
    return tokens
