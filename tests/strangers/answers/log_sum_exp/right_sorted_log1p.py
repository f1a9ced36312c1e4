# right: sort each row, take its top out of the sum, log1p of the rest; a masked row is -inf + log1p(0).
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    rows = np.sort(x, axis=-1)  # a copy
    top, rest = rows[..., -1], rows[..., :-1]
    origin = np.where(np.isneginf(top), np.zeros_like(top), top)
    others = np.exp(rest - origin[..., None]).sum(axis=-1, dtype=x.dtype)
    L = np.asarray(top + np.log1p(others), dtype=x.dtype)
    return L.copy() if L.ndim else L[()]
