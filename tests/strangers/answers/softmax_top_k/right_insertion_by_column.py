# the paper's insertion: each column is bubbled into the k kept values of all rows at once
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    u = None
    j = 0
    for X in chunks:
        if u is None:
            R = X.shape[0]
            u = np.full((R, k), -np.inf, dtype=X.dtype)
            at = np.full((R, k), -1, dtype=np.int64)
            m, l = np.full(R, -np.inf, dtype=X.dtype), np.zeros(R, dtype=X.dtype)
        for x in X.T:
            new = np.maximum(m, x)
            some = new > -np.inf
            l[some] = l[some] * np.exp(m[some] - new[some]) + np.exp(x[some] - new[some])
            m = new
            value, number = x.copy(), np.where(x > -np.inf, j, -1)
            for slot in range(k):
                bigger = value > u[:, slot]
                u[:, slot], value = (
                    np.where(bigger, value, u[:, slot]),
                    np.where(bigger, u[:, slot], value),
                )
                at[:, slot], number = (
                    np.where(bigger, number, at[:, slot]),
                    np.where(bigger, at[:, slot], number),
                )
            j += 1
    p = np.zeros_like(u)
    some = l > 0
    p[some] = np.exp(u[some] - m[some, None]) / l[some, None]
    return p, at
